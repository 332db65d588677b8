import type { Plugin } from "vite";

/** Preloads the fonts that every page shows first. Their hashed names are only known after bundling. */
export function preloadedFonts(names: string[]): Plugin {
  return {
    name: "preloaded-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const files = names.map((name) => {
          const file = Object.keys(bundle).find((candidate) => candidate.startsWith(`assets/${name}-`));
          if (file === undefined) throw new Error(`preloaded-fonts: no stylesheet uses ${name}`);
          return file;
        });
        return files.map((file) => ({
          tag: "link",
          attrs: { rel: "preload", href: `/${file}`, as: "font", type: "font/woff2", crossorigin: "" },
          injectTo: "head" as const,
        }));
      },
    },
  };
}
