import { isIPv6 } from "node:net";

/** What limits count an address as: an IPv6 subscriber has a whole /64. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip;
  const [head = "", tail] = ip.split("%")[0]?.split("::") ?? [];
  const groups = head.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 4 - groups.length);
  return `${[...groups, ...Array<string>(missing).fill("0")].slice(0, 4).join(":")}::/64`;
}
