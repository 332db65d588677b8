import type { Guide } from "../../../plugins/guide.ts";

/** What a page of the documentation shows. */
export type PageContent =
  | { kind: "guide"; load: () => Promise<Guide> }
  | { kind: "operations"; tag: string }
  | { kind: "tools"; group: string | null }
  | { kind: "errors" };

export type DocsPage = { path: string; title: string; content: PageContent };

const guideFiles = import.meta.glob<Guide>("../../../../docs/*.md", { import: "default" });

/** The navigation, in the order of reading. Every page of the documentation is here. */
export const sections: { title: string; pages: DocsPage[] }[] = [
  {
    title: "Get started",
    pages: [guide("overview", "Overview", "/docs"), guide("quick-start", "Your first call")],
  },
  {
    title: "Guides",
    pages: [
      guide("api", "The REST API"),
      guide("connect-your-agent", "Connect your agent"),
      guide("ticketing", "The ticketing proxy"),
      guide("door", "Check-in at the door"),
    ],
  },
  {
    title: "API reference",
    pages: [
      operations("service", "Service"),
      operations("conferences", "Conferences and events"),
      operations("posters", "Posters"),
      operations("images", "Images"),
      operations("ticketing", "Ticketing"),
      operations("mcp", "MCP"),
      operations("removed", "Removed"),
      { path: "/docs/errors", title: "Errors", content: { kind: "errors" } },
    ],
  },
  {
    title: "Tools",
    pages: [
      { path: "/docs/tools", title: "How tools work", content: { kind: "tools", group: null } },
      tools("organization", "Organization"),
      tools("event_management", "Events and hosts"),
      tools("speakers", "Speakers"),
      tools("registrations", "Registrations"),
      tools("production", "Posters and run of show"),
    ],
  },
  {
    title: "Run it yourself",
    pages: [
      guide("production", "Run it in production"),
      guide("configuration", "Configuration"),
      guide("command-line", "The command line"),
      guide("sign-in", "Sign-in and people"),
      guide("operations", "Operations"),
      guide("performance", "Performance"),
      guide("backup", "Backup and restore"),
      guide("import-format", "Import format"),
      guide("personal-data", "Personal data"),
    ],
  },
  { title: "More", pages: [guide("glossary", "Glossary"), guide("changelog", "Changelog")] },
];

export const allPages = sections.flatMap(({ pages }) => pages);

export function findPage(path: string): DocsPage | undefined {
  const wanted = path.replace(/\/$/, "");
  return allPages.find((page) => page.path === wanted);
}

function guide(slug: string, title: string, path = `/docs/${slug}`): DocsPage {
  const load = guideFiles[`../../../../docs/${slug}.md`];
  if (load === undefined) throw new Error(`docs/${slug}.md does not exist`);
  return { path, title, content: { kind: "guide", load } };
}

function operations(tag: string, title: string): DocsPage {
  return { path: `/docs/api/${tag}`, title, content: { kind: "operations", tag } };
}

function tools(group: string, title: string): DocsPage {
  return { path: `/docs/tools/${group}`, title, content: { kind: "tools", group } };
}
