import { DocsPageAt } from "./docs-page.tsx";

export function DocsHomePage() {
  return <DocsPageAt path="/docs" />;
}
