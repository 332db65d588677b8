/** What known clients send when they register, and how they describe themselves. */

const code = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };

export const registrations: Record<string, { redirect_uris: string[] } & Record<string, unknown>> = {
  "Claude Code": {
    client_name: "Claude Code (event-platform)",
    redirect_uris: ["http://localhost:53682/callback"],
    ...code,
    token_endpoint_auth_method: "none",
    scope: "org:read events:write",
  },
  "claude.ai": {
    client_name: "Claude",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    ...code,
    token_endpoint_auth_method: "none",
    scope: "claudeai",
  },
  ChatGPT: {
    client_name: "ChatGPT",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    ...code,
    token_endpoint_auth_method: "client_secret_basic",
  },
  Cursor: {
    client_name: "Cursor",
    client_uri: "https://cursor.com",
    redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"],
    ...code,
    token_endpoint_auth_method: "none",
  },
  "VS Code": {
    client_name: "Visual Studio Code",
    client_uri: "https://code.visualstudio.com",
    grant_types: [...code.grant_types, "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    redirect_uris: [
      "https://insiders.vscode.dev/redirect",
      "https://vscode.dev/redirect",
      "http://127.0.0.1/",
      "http://127.0.0.1:33418/",
    ],
    token_endpoint_auth_method: "none",
    application_type: "native",
  },
  OpenCode: {
    client_name: "OpenCode",
    client_uri: "https://opencode.ai",
    redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
    ...code,
    token_endpoint_auth_method: "none",
  },
  "a client that says little": { redirect_uris: ["http://localhost/callback"] },
};

/** `client_id` and `jwks_uri` are those of the test's own host. */
export const descriptions: Record<string, { redirect_uris: string[] } & Record<string, unknown>> = {
  "Claude Code": {
    client_name: "Claude Code",
    client_uri: "https://claude.ai",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    ...code,
    token_endpoint_auth_method: "none",
    scope: "claudeai org:read",
  },
  "VS Code": {
    client_name: "Visual Studio Code",
    ...code,
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  },
  ChatGPT: {
    client_name: "ChatGPT",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    ...code,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "RS256",
  },
};
