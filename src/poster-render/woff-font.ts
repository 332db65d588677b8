import { inflateSync } from "node:zlib";

export type WoffFont = {
  data: Buffer;
  has(codePoint: number): boolean;
  /** Advance width in em; 0 for a character the font lacks. */
  advance(codePoint: number): number;
};

/** Reads only coverage (cmap) and advance widths (hmtx); the layout engine reads the rest. */
export function readWoffFont(data: Buffer): WoffFont {
  const tables = tableDirectory(data);
  const unitsPerEm = table(data, tables, "head").readUInt16BE(18);
  const metricCount = table(data, tables, "hhea").readUInt16BE(34);
  const metrics = table(data, tables, "hmtx");
  const glyphs = readCharacterMap(table(data, tables, "cmap"));
  return {
    data,
    has: (codePoint) => glyphs.has(codePoint),
    advance(codePoint) {
      const glyph = glyphs.get(codePoint);
      if (glyph === undefined) return 0;
      return metrics.readUInt16BE(Math.min(glyph, metricCount - 1) * 4) / unitsPerEm;
    },
  };
}

type TableEntry = { offset: number; compressedLength: number; length: number };

function tableDirectory(data: Buffer): Map<string, TableEntry> {
  if (data.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF font");
  const tables = new Map<string, TableEntry>();
  for (let index = 0; index < data.readUInt16BE(12); index += 1) {
    const at = 44 + index * 20;
    tables.set(data.toString("latin1", at, at + 4), {
      offset: data.readUInt32BE(at + 4),
      compressedLength: data.readUInt32BE(at + 8),
      length: data.readUInt32BE(at + 12),
    });
  }
  return tables;
}

function table(data: Buffer, tables: Map<string, TableEntry>, name: string): Buffer {
  const entry = tables.get(name);
  if (!entry) throw new Error(`font without ${name} table`);
  const stored = data.subarray(entry.offset, entry.offset + entry.compressedLength);
  return entry.compressedLength < entry.length ? inflateSync(stored) : stored;
}

function readCharacterMap(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const subtable = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    const format = subtable.readUInt16BE(0);
    if (format === 4) readSegments(subtable, glyphs);
    if (format === 12) readGroups(subtable, glyphs);
  }
  return glyphs;
}

function readSegments(subtable: Buffer, glyphs: Map<number, number>): void {
  const doubledCount = subtable.readUInt16BE(6);
  for (let at = 0; at < doubledCount; at += 2) {
    const end = subtable.readUInt16BE(14 + at);
    const start = subtable.readUInt16BE(16 + doubledCount + at);
    const delta = subtable.readUInt16BE(16 + 2 * doubledCount + at);
    const rangeAt = 16 + 3 * doubledCount + at;
    const rangeOffset = subtable.readUInt16BE(rangeAt);
    for (let codePoint = start; codePoint <= end && codePoint < 0xffff; codePoint += 1) {
      const mapped =
        rangeOffset === 0 ? codePoint : subtable.readUInt16BE(rangeAt + rangeOffset + 2 * (codePoint - start));
      const glyph = mapped === 0 ? 0 : (mapped + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(codePoint, glyph);
    }
  }
}

function readGroups(subtable: Buffer, glyphs: Map<number, number>): void {
  for (let index = 0; index < subtable.readUInt32BE(12); index += 1) {
    const at = 16 + index * 12;
    const start = subtable.readUInt32BE(at);
    const firstGlyph = subtable.readUInt32BE(at + 8);
    for (let codePoint = start; codePoint <= subtable.readUInt32BE(at + 4); codePoint += 1) {
      glyphs.set(codePoint, firstGlyph + codePoint - start);
    }
  }
}
