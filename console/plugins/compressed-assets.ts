import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /^assets\/.*\.(?:js|css|svg|json|webmanifest)$/;

/** Writes FILE.br and FILE.gz beside every compressible asset, so that the service compresses nothing per request. */
export function compressedAssets(): Plugin {
  return {
    name: "compressed-assets",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle).filter((candidate) => compressible.test(candidate))) {
        const file = join(dir, name);
        const text = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params }));
      }
    },
  };
}
