import { useParams, useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, Suspense, use, useEffect, useRef } from "react";
import type { Heading } from "../../../plugins/guide.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { NotFoundPage } from "../../shell/problem-pages.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import styles from "./docs.module.css";
import { ErrorsPage } from "./errors.tsx";
import { GuideBody } from "./guide-body.tsx";
import { NextPage } from "./next-page.tsx";
import { OnThisPage } from "./on-this-page.tsx";
import { endpointsOf, loadOpenApi } from "./openapi.ts";
import { OperationSection } from "./operations.tsx";
import { loadReference } from "./reference.ts";
import { findPage, type DocsPage as Page, type PageContent } from "./site.ts";
import { ToolSection, ToolsIntroduction } from "./tools.tsx";

export function DocsPage() {
  const { _splat } = useParams({ strict: false });
  return <DocsPageAt path={`/docs/${_splat ?? ""}`} />;
}

export function DocsPageAt({ path }: { path: string }) {
  const page = findPage(path);
  if (page === undefined) return <NotFoundPage />;
  return (
    <Suspense key={page.path} fallback={<LoadingPage />}>
      <LoadedPage page={page} />
    </Suspense>
  );
}

const LoadingPage = () => (
  <div className={styles.page}>
    <PageSkeleton />
  </div>
);

function LoadedPage({ page }: { page: Page }) {
  const { title, headings, wide = false, children } = use(loadContent(page));
  const body = useRef<HTMLDivElement>(null);
  const router = useRouter();
  usePageTitle(title);
  useEffect(() => scrollToHash(), []);
  /** Links within a guide are plain HTML: those to other pages of the site do not need a load. */
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    const address = link?.getAttribute("href") ?? "";
    if (!address.startsWith("/docs") || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(address);
  };
  return (
    <div className={wide ? `${styles.page} ${styles.wide}` : styles.page}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are interactive. */}
      <div className="shrinks" ref={body} onClick={follow}>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.prose}>{children}</div>
        <NextPage path={page.path} />
      </div>
      <OnThisPage headings={headings} />
    </div>
  );
}

type Loaded = { title: string; headings: Heading[]; wide?: boolean; children: ReactNode };

const contents = new Map<string, Promise<Loaded>>();

/** Kept: `use` needs the same promise each time. A failed one is forgotten, so that a retry loads again. */
function loadContent(page: Page): Promise<Loaded> {
  const known = contents.get(page.path);
  if (known !== undefined) return known;
  const loading = build(page.title, page.content);
  contents.set(page.path, loading);
  loading.catch(() => contents.delete(page.path));
  return loading;
}

async function build(title: string, content: PageContent): Promise<Loaded> {
  switch (content.kind) {
    case "guide": {
      const { parts, headings, title: own } = await content.load();
      return {
        title: own,
        headings,
        children: <GuideBody parts={parts} />,
      };
    }
    case "operations": {
      const document = await loadOpenApi();
      const endpoints = endpointsOf(document, content.tag);
      const introduction = document.tags.find(({ name }) => name === content.tag)?.description;
      return {
        title,
        wide: true,
        headings: endpoints.map(({ operationId }) => ({ id: operationId, text: operationId, level: 2 })),
        children: (
          <>
            <p className="muted large">{introduction}</p>
            {endpoints.map((endpoint) => (
              <OperationSection key={endpoint.operationId} endpoint={endpoint} document={document} />
            ))}
          </>
        ),
      };
    }
    case "tools": {
      const reference = await loadReference();
      if (content.group === null) {
        return { title, headings: toolHeadings, children: <ToolsIntroduction reference={reference} /> };
      }
      const tools = reference.tools.filter(({ group }) => group === content.group);
      return {
        title,
        wide: true,
        headings: tools.map(({ name }) => ({ id: name, text: name, level: 2 })),
        children: tools.map((tool) => <ToolSection key={tool.name} tool={tool} />),
      };
    }
    case "errors": {
      const [reference, document] = await Promise.all([loadReference(), loadOpenApi()]);
      return { title, headings: errorHeadings, children: <ErrorsPage reference={reference} document={document} /> };
    }
  }
}

const toolHeadings = [
  { id: "calling-a-tool", text: "Calling a tool", level: 2 },
  { id: "preview-then-commit", text: "Preview, then commit", level: 2 },
  { id: "all-tools", text: "All tools", level: 2 },
  { id: "scopes", text: "Scopes", level: 2 },
];

const errorHeadings = [
  { id: "rest", text: "REST", level: 2 },
  { id: "ticketing", text: "Ticketing proxy", level: 2 },
  { id: "tools", text: "Tools", level: 2 },
];

/** The browser cannot scroll to what was not there when the address changed. */
function scrollToHash(): void {
  if (location.hash === "") return;
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
