import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { documentation } from "../plugins/documentation.ts";

/** What the project "pages" of ../../vitest.config.ts needs beside the sources: the documentation is compiled. */
export default defineConfig({ plugins: documentation(fileURLToPath(new URL("../../docs", import.meta.url))) });
