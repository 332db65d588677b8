import { crc32 } from "node:zlib";

/** A file of an archive. */
export type ZipEntry = { name: string; bytes: Buffer };

/** Without ZIP64, an archive and each of its files are smaller than this, and there are fewer files than that. */
export const zipLimits = { bytes: 0xffff_ffff, files: 0xffff };

/**
 * The parts of a ZIP archive, one file after another, so that only one is in memory. Files are stored as they are: pictures
 * do not get smaller. Their time is that of the archive.
 */
export async function* zipParts(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of entries) {
    const fileName = Buffer.from(name, "utf8");
    const described = description(fileName, bytes, at);
    const header = Buffer.concat([Buffer.from("PK\x03\x04"), described, fileName]);
    directory.push(directoryEntry(described, fileName, offset));
    offset += header.length + bytes.length;
    if (offset > zipLimits.bytes || directory.length > zipLimits.files) throw new Error("the archive is too large");
    yield header;
    yield bytes;
  }
  yield* directory;
  yield endOf(directory, offset);
}

/** What both headers of a file have in common. */
function description(fileName: Buffer, bytes: Buffer, at: Date): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  // The name is UTF-8.
  part.writeUInt16LE(0x0800, 2);
  part.writeUInt16LE(0, 4);
  part.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
  part.writeUInt16LE(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 8);
  part.writeUInt32LE(crc32(bytes), 10);
  part.writeUInt32LE(bytes.length, 14);
  part.writeUInt32LE(bytes.length, 18);
  part.writeUInt16LE(fileName.length, 22);
  return part;
}

function directoryEntry(described: Buffer, fileName: Buffer, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), described, rest, fileName]);
}

function endOf(directory: Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
