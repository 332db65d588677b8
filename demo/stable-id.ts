import { createHash } from "node:crypto";

/** A version 8 UUID (RFC 9562) derived from the label: the same in every installation. */
export function stableId(label: string): string {
  const bytes = digest(label).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export function eventId(eventKey: string): string {
  return stableId(`event ${eventKey}`);
}

/** An integer from 0 to `below` - 1, derived from the label. */
export function stableNumber(label: string, below: number): number {
  return digest(label).readUInt32BE(0) % below;
}

/** An item of a non-empty list, derived from the label. */
export function stablePick<Item>(label: string, items: readonly Item[]): Item {
  return itemAt(items, stableNumber(label, items.length));
}

/** The item at a position that wraps around the end of a non-empty list. */
export function itemAt<Item>(items: readonly Item[], position: number): Item {
  const item = items[position % items.length];
  if (item === undefined) throw new Error("cannot pick from an empty list");
  return item;
}

function digest(label: string): Buffer {
  return createHash("sha256").update(`event-platform demo\n${label}`).digest();
}
