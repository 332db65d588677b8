import type { Plugin } from "vite";

const translation = /\/react-(?:aria|stately|aria-components)\/dist\/.*\/intl\/(?:.*\/)?[a-z]{2}-[A-Z]{2}\.m?js$/;

/** The console is in English: leaves the translations of React Aria into 33 other languages out of the bundle. */
export function englishOnly(): Plugin {
  return {
    name: "english-only",
    enforce: "pre",
    load(id) {
      if (translation.test(id) && !/\/en-US\.m?js$/.test(id)) return "export default {};";
      return undefined;
    },
  };
}
