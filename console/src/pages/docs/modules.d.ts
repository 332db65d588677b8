declare module "*/docs/*.md" {
  const guide: import("../../../plugins/guide.ts").Guide;
  export default guide;
}

declare module "virtual:docs-search" {
  const entries: import("../../../plugins/search-entries.ts").SearchEntry[];
  export default entries;
}
