import { Select } from "../../ui/select.tsx";

/** The orders of the lists, as the service names them. The first is its default, which the address leaves out. */
export const timeOrders = { latest: "Latest first", earliest: "Earliest first" };
export const organizationOrders = { name: "By name", newest: "Newest first" };

type Props<Order extends string> = {
  orders: Record<Order, string>;
  value: string | undefined;
  onChange: (order: string) => void;
};

export function SortSelect<Order extends string>({ orders, value, onChange }: Props<Order>) {
  const options = Object.entries<string>(orders).map(([order, label]) => ({ value: order, label }));
  const [first] = options;
  return (
    <Select
      label="Order"
      hideLabel
      options={options}
      value={value ?? first?.value ?? ""}
      onChange={(order) => onChange(order === first?.value ? "" : order)}
    />
  );
}

/** For the caption of a list: "latest first", "by name". */
export const orderWords = <Order extends string>(orders: Record<Order, string>, value: string | undefined): string => {
  const labels = orders as Record<string, string | undefined>;
  return (labels[value ?? ""] ?? Object.values<string>(orders)[0] ?? "").toLowerCase();
};
