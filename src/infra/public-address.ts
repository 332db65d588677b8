import { BlockList, isIP } from "node:net";

/**
 * Whether an IP address is on the public internet. Excludes IANA's special-purpose ranges, and IPv6 addresses that embed
 * an IPv4 address, because a gateway may route those anywhere.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIPv4.check(address, "ipv4");
    case 6:
      return !address.includes("%") && globalIPv6.check(address, "ipv6") && !specialIPv6.check(address, "ipv6");
    default:
      return false;
  }
}

const specialIPv4 = subnets("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** The only block from which public addresses are assigned; loopback, IPv4-mapped, NAT64 and ULA are outside it. */
const globalIPv6 = subnets("ipv6", [["2000::", 3]]);

const specialIPv6 = subnets("ipv6", [
  // Protocol assignments, including Teredo, ORCHID and benchmarking
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4
  ["2002::", 16],
  ["3fff::", 20],
]);

function subnets(family: "ipv4" | "ipv6", ranges: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
