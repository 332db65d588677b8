import { inflateSync } from "node:zlib";
import { Blob, Face, Font } from "harfbuzzjs";

export type WoffFont = {
  shaper: Font;
  unitsPerEm: number;
  /** In em, above and below the baseline. */
  ascent: number;
  descent: number;
  has(codePoint: number): boolean;
  /** Advance width in em; 0 for a character the font lacks. */
  advance(codePoint: number): number;
};

/** Reads coverage (cmap), advance widths (hmtx) and heights (hhea); HarfBuzz reads the rest. */
export function readWoffFont(data: Buffer): WoffFont {
  const tables = readTables(data);
  const unitsPerEm = table(tables, "head").readUInt16BE(18);
  const header = table(tables, "hhea");
  const metricCount = header.readUInt16BE(34);
  const metrics = table(tables, "hmtx");
  const glyphs = readCharacterMap(table(tables, "cmap"));
  return {
    shaper: new Font(new Face(new Blob(toSfnt(data.readUInt32BE(4), tables)))),
    unitsPerEm,
    ascent: header.readInt16BE(4) / unitsPerEm,
    descent: -header.readInt16BE(6) / unitsPerEm,
    has: (codePoint) => glyphs.has(codePoint),
    advance(codePoint) {
      const glyph = glyphs.get(codePoint);
      if (glyph === undefined) return 0;
      return metrics.readUInt16BE(Math.min(glyph, metricCount - 1) * 4) / unitsPerEm;
    },
  };
}

type Tables = Map<string, { checksum: number; bytes: Buffer }>;

function readTables(data: Buffer): Tables {
  if (data.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF font");
  const tables: Tables = new Map();
  for (let index = 0; index < data.readUInt16BE(12); index += 1) {
    const at = 44 + index * 20;
    const offset = data.readUInt32BE(at + 4);
    const compressedLength = data.readUInt32BE(at + 8);
    const stored = data.subarray(offset, offset + compressedLength);
    const bytes = compressedLength < data.readUInt32BE(at + 12) ? inflateSync(stored) : stored;
    tables.set(data.toString("latin1", at, at + 4), { checksum: data.readUInt32BE(at + 16), bytes });
  }
  return tables;
}

function table(tables: Tables, name: string): Buffer {
  const found = tables.get(name);
  if (!found) throw new Error(`font without ${name} table`);
  return found.bytes;
}

/** The same tables without compression: a directory, then each table at a multiple of four bytes. */
function toSfnt(flavor: number, tables: Tables): Buffer {
  const count = tables.size;
  const directory = Buffer.alloc(12 + count * 16);
  const power = 2 ** Math.floor(Math.log2(count));
  directory.writeUInt32BE(flavor, 0);
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE((count - power) * 16, 10);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [index, [name, { checksum, bytes }]] of [...tables].entries()) {
    const at = 12 + index * 16;
    directory.write(name, at, "latin1");
    directory.writeUInt32BE(checksum, at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(bytes.length, at + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(bytes, padding);
    offset += bytes.length + padding.length;
  }
  return Buffer.concat(parts);
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
