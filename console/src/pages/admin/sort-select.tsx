import { type Order, orderNames, orderOptions } from "../../format/orders.ts";
import { Select } from "../../ui/select.tsx";

type Props<One extends Order> = {
  /** The first is the default, which the address leaves out. */
  orders: readonly [One, ...One[]];
  value: string | undefined;
  onChange: (order: string) => void;
};

export function SortSelect<One extends Order>({ orders, value, onChange }: Props<One>) {
  const [first] = orders;
  return (
    <Select
      label="Order"
      hideLabel
      options={orderOptions(orders)}
      value={orders.find((order) => order === value) ?? first}
      onChange={(order) => onChange(order === first ? "" : order)}
    />
  );
}

/** For the caption of a list: "latest first", "by name". */
export const orderWords = <One extends Order>(orders: readonly [One, ...One[]], value: string | undefined): string =>
  orderNames[orders.find((order) => order === value) ?? orders[0]].toLowerCase();
