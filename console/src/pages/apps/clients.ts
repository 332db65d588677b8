/** How each client is told of this service, as the guide "Connect your agent" explains it. It then opens the console by itself. */
export type Client = {
  id: string;
  title: string;
  /** What a person does in the client, one step each. */
  steps: string[];
  code: string;
  label: string;
  what: string;
  /** An address that opens the client with everything filled in. */
  install?: string;
  /** Its requests come from its maker's servers, not from the person's computer. */
  isRemote?: boolean;
};

const server = "event-platform";

export function clientsFor(baseUrl: string): Client[] {
  const mcp = `${baseUrl}/api/mcp`;
  const address = { code: mcp, label: "Address", what: "address" };
  return [
    {
      id: "claude",
      title: "Claude: web, desktop and phone",
      steps: [
        "On the web or in the desktop app, open Settings → Connectors → Add custom connector.",
        "Enter a name and this address, and press Connect.",
      ],
      ...address,
      isRemote: true,
    },
    {
      id: "chatgpt",
      title: "ChatGPT",
      steps: [
        "Under Settings → Apps & Connectors → Advanced settings, turn on developer mode.",
        "Press Create, and enter a name, this address, and OAuth as the authentication.",
      ],
      ...address,
      isRemote: true,
    },
    {
      id: "claude-code",
      title: "Claude Code",
      steps: ["Run this in a terminal.", "In Claude Code, enter /mcp, choose the server, and Authenticate."],
      code: `claude mcp add --transport http ${server} ${mcp}`,
      label: "In a terminal, in your project",
      what: "command",
    },
    {
      id: "cursor",
      title: "Cursor",
      steps: ["Add the server to the file, or press Add to Cursor.", "Under Settings → MCP, press Connect beside it."],
      code: json({ mcpServers: { [server]: { url: mcp } } }),
      label: "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
      what: "file",
      install: `cursor://anysphere.cursor-deeplink/mcp/install?name=${server}&config=${encodeURIComponent(btoa(JSON.stringify({ url: mcp })))}`,
    },
    {
      id: "vs-code",
      title: "VS Code",
      steps: ["Run this in a terminal.", "Start the server from the list of MCP servers, and allow it to sign in."],
      code: `code --add-mcp '${JSON.stringify({ name: server, type: "http", url: mcp })}'`,
      label: "In a terminal",
      what: "command",
    },
    {
      id: "other",
      title: "Another client",
      steps: ["Give it this address as a remote MCP server, over HTTP, with OAuth."],
      ...address,
    },
  ];
}

/** Whether the servers of others can reach an address: they need https, and a name that is known everywhere. */
export function isPublicAddress(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" && hostname.includes(".") && !/^[\d.]+$/.test(hostname);
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
