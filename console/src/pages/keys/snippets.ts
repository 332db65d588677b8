/** Ready-made commands and files with the key filled in, as the guide "Connect your agent" explains them. */
export type Snippet = { id: string; title: string; label: string; what: string; tiers: readonly Tier[]; code: string };

type Tier = "organization" | "platform";
const everyTier: readonly Tier[] = ["organization", "platform"];
/** MCP is for organizations. */
const organizations: readonly Tier[] = ["organization"];

const server = "event-platform";

export function snippetsFor(baseUrl: string, key: string, tier: Tier): Snippet[] {
  return snippets(baseUrl, key).filter(({ tiers }) => tiers.includes(tier));
}

function snippets(baseUrl: string, key: string): Snippet[] {
  const mcp = `${baseUrl}/api/mcp`;
  const authorization = `Bearer ${key}`;
  return [
    {
      id: "curl",
      title: "curl",
      label: "In a terminal: is the key valid, and what may it do?",
      what: "command",
      tiers: everyTier,
      code: `curl ${baseUrl}/api/svc/ping \\\n  -H "Authorization: ${authorization}"`,
    },
    {
      id: "claude-code",
      title: "Claude Code",
      label: "In a terminal, in your project",
      what: "command",
      tiers: organizations,
      code: `claude mcp add --transport http ${server} ${mcp} \\\n  --header "Authorization: ${authorization}"`,
    },
    {
      id: "cursor",
      title: "Cursor",
      label: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
      what: "file",
      tiers: organizations,
      code: json({ mcpServers: { [server]: { url: mcp, headers: { Authorization: authorization } } } }),
    },
    {
      id: "vs-code",
      title: "VS Code",
      label: ".vscode/mcp.json; do not commit it with the key",
      what: "file",
      tiers: organizations,
      code: json({ servers: { [server]: { type: "http", url: mcp, headers: { Authorization: authorization } } } }),
    },
    {
      id: "posting-agent",
      title: "Posting agent",
      label: "The example agent, in a checkout of the service",
      what: "command",
      tiers: everyTier,
      code: `SVC_KEY=${key} npm run posting-agent -- ${baseUrl} --max 5`,
    },
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
