import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /^assets\/.*\.(?:js|css|svg|json|webmanifest)$/;

/** Writes FILE.br and FILE.gz beside every compressible asset, so that the service compresses nothing per request. */
export function compressedAssets(): Plugin {
  return {
    name: "compressed-assets",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((candidate) => compressible.test(candidate));
      await Promise.all(names.map((name) => compress(join(dir, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const text = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  await Promise.all([
    promisify(gzip)(text, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
    promisify(brotliCompress)(text, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
  ]);
}
