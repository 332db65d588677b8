import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import { applyPatch, type MockState, mockState } from "./mock-data.ts";

/** Made-up answers to the requests of the shell and of the change dialog, for work on the look without a service. */
export function mockApi(): Plugin {
  const state = mockState();
  return {
    name: "mock-api",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use("/api/console", (request, response) => {
        void answer(state, request, response);
      });
    },
  };
}

async function answer(state: MockState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const key = `${request.method} ${path}`;
  const body = request.method === "POST" ? await readBody(request) : {};
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (key === "GET /session") return send(response, 200, sessionOf(state));
  if (key === "POST /sign-in") return signIn(state, body, response);
  if (key === "POST /sign-out") {
    state.signedIn = false;
    return send(response, 204);
  }
  if (key === "POST /password/request-reset") return send(response, 204);
  if (path.endsWith("/changes"))
    return void response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
  const tool = /\/tools\/(\w+)$/.exec(path)?.[1];
  if (tool !== undefined && state.signedIn) return runTool(state, tool, body, response);
  return send(response, 404, { error: `The mock has no ${key}`, code: "not_found", request_id: "mock" });
}

function signIn(state: MockState, body: Record<string, unknown>, response: ServerResponse): undefined {
  if (body.password === "wrong")
    return send(response, 401, { error: "Wrong", code: "unauthorized", request_id: "mock" });
  state.signedIn = true;
  send(response, 200, sessionOf(state));
}

const sessionOf = ({ signedIn, person, organizations }: MockState) => ({
  person: signedIn ? person : null,
  organizations: signedIn ? organizations : [],
  sign_in: { oidc: { label: "Example SSO" } },
  version: "0.0.0",
});

/** Tools whose names say what should go wrong: "conflict", "fail", "nothing"; every other one changes the event. */
function runTool(state: MockState, tool: string, body: Record<string, unknown>, response: ServerResponse): undefined {
  const { dry_run = true, confirm: _, reason: __, idempotency_key: ___, expected_version: version, ...args } = body;
  if (tool === "fail") {
    return send(response, 403, {
      error: "This needs the role admin; yours is member",
      code: "forbidden",
      request_id: "req-mock-1",
    });
  }
  const current = structuredClone(state.event);
  const proposed = tool === "nothing" ? current : applyPatch(current, args);
  if (dry_run === true) {
    const changes = Object.keys(args)
      .filter((name) => JSON.stringify(current[name]) !== JSON.stringify(proposed[name]))
      .map((name) => ({ path: name, from: current[name], to: proposed[name] }));
    const commit_with = {
      ...args,
      dry_run: false,
      confirm: true,
      idempotency_key: crypto.randomUUID(),
      expected_version: `v${state.version}`,
    };
    const message = "214 guests have a confirmed place and are not informed by this change.";
    const warnings = tool === "warn" ? [{ code: "guests_not_informed", message }] : [];
    return send(response, 200, { dry_run: true, current, proposed, changes, warnings, commit_with });
  }
  if (tool === "conflict" && state.version === 1) {
    state.version += 1;
    state.event = { ...state.event, venue: "Hall 3 (moved by Ben)" };
  }
  if (version !== `v${state.version}`) {
    const details = { current: state.event, expected_version: `v${state.version}` };
    return send(response, 409, {
      error: "The state has changed since the preview",
      code: "version_conflict",
      request_id: "req-mock-2",
      details,
    });
  }
  state.event = proposed;
  state.version += 1;
  send(response, 200, { dry_run: false, after: proposed, record_id: crypto.randomUUID() });
}

function send(response: ServerResponse, status: number, body?: unknown): undefined {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
