import type { EventSort, NameOrAge, TimeOrder } from "../../../contract/orders.ts";

export type Order = EventSort | NameOrAge | TimeOrder;

export const orderNames: Record<Order, string> = {
  earliest: "Earliest first",
  latest: "Latest first",
  name: "By name",
  newest: "Newest first",
  guests: "Most guests first",
};

export const orderOptions = <One extends Order>(orders: readonly One[]) =>
  orders.map((value) => ({ value, label: orderNames[value] }));
