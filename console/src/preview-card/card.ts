import "./card.css";
import type { Json } from "../api/tools.ts";
import { reasonProblem } from "../change/reason.ts";
import { isRecord } from "../format/differences.ts";
import { localZone } from "../format/times.ts";
import { type CardState, stateOfCommit, stateOfResult, stateWithoutResponse } from "./card-state.ts";
import { cardElements } from "./card-view.ts";
import { connectHost } from "./host.ts";
import { applyHostContext, type HostContext, toolNameOf } from "./host-context.ts";
import { type Preview, readResult, type Shown, type ToolResult } from "./tool-result.ts";

/** The preview card: a view of MCP Apps that shows what a change does, and commits it when a person confirms. */

const protocolVersion = "2026-01-26";
const commitArguments = ["dry_run", "confirm", "reason", "idempotency_key", "expected_version"];

const card = document.getElementById("card") as HTMLElement;
const status = document.getElementById("status") as HTMLElement;

let state: CardState = { step: "waiting" };
let context: HostContext = {};
let capabilities: Json = {};
let args: Json | undefined;
let reason = "";
let problem: string | undefined;

const host = connectHost((method, params) => {
  switch (method) {
    case "ui/notifications/tool-input":
      return takeArguments(params.arguments);
    case "ui/notifications/tool-result":
      // A host may also report the calls of the card itself, which knows their results.
      if (state.step === "waiting") show(stateOfResult(read(params)));
      return;
    case "ui/notifications/tool-cancelled":
      if (state.step === "waiting") show({ step: "stopped", notice: cancelled, canPreviewAgain: false });
      return;
    case "ui/notifications/host-context-changed":
      return takeContext(params);
  }
});

const cancelled = {
  tone: "info",
  title: "Cancelled",
  text: "The preview was not completed. Nothing was changed.",
} as const;

async function start(): Promise<void> {
  show(state);
  const appInfo = { name: "event-platform-preview-card", title: "Preview of a change", version: "1.0.0" };
  const appCapabilities = { availableDisplayModes: ["inline"] };
  const result = await host.request("ui/initialize", { appInfo, appCapabilities, protocolVersion });
  capabilities = isRecord(result.hostCapabilities) ? result.hostCapabilities : {};
  takeContext(isRecord(result.hostContext) ? result.hostContext : {});
  host.notify("ui/notifications/initialized");
  reportSize();
  new ResizeObserver(reportSize).observe(document.documentElement);
}

function takeContext(changed: Json): void {
  context = { ...context, ...changed };
  applyHostContext(context);
}

function takeArguments(given: unknown): void {
  if (args !== undefined || !isRecord(given)) return;
  args = given;
  if (typeof given.reason === "string") reason = given.reason;
  if (state.step !== "waiting") show(state);
}

const read = (result: ToolResult): Shown =>
  readResult(result, typeof context.timeZone === "string" ? context.timeZone : localZone());

async function confirm(): Promise<void> {
  if (state.step !== "ready" || obstacleTo(state) !== undefined) return;
  const { preview } = state;
  problem = reasonProblem(reason);
  if (problem !== undefined) {
    show(state);
    document.getElementById("reason")?.focus();
    return;
  }
  show({ step: "committing", preview });
  try {
    let shown = read(await callTool(preview.about.tool, { ...args, ...preview.commitWith, reason }));
    const isConflict = shown.kind === "failed" && shown.preview !== undefined;
    // Errors have no images, and nobody should confirm a drawing that was not shown.
    if (isConflict && preview.images.length > 0) shown = read(await callTool(preview.about.tool, ownArguments()));
    show(stateOfCommit(preview, shown));
    if (shown.kind === "committed") tellModel(preview, shown);
  } catch (error) {
    show(stateWithoutResponse(preview, error));
  }
}

async function previewAgain(): Promise<void> {
  show({ step: "waiting" });
  try {
    show(stateOfResult(read(await callTool(undefined, ownArguments()))));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    show({ step: "stopped", notice: { tone: "danger", title: "No response arrived", text }, canPreviewAgain: true });
  }
}

/** Those of the change, without which the tool previews. */
function ownArguments(): Json {
  return Object.fromEntries(Object.entries(args ?? {}).filter(([name]) => !commitArguments.includes(name)));
}

/** Results name the tool; hosts may know it by another name. */
let knownTool: string | undefined;

function callTool(tool: string | undefined, callArguments: Json): Promise<ToolResult> {
  knownTool = tool ?? knownTool ?? toolNameOf(context);
  return host.request("tools/call", { name: knownTool, arguments: callArguments });
}

function obstacleTo(shown: CardState): string | undefined {
  const inConversation = "Ask for it in the conversation to confirm this change.";
  if (!isRecord(capabilities.serverTools)) return inConversation;
  const preview = "preview" in shown ? shown.preview : undefined;
  if ((preview?.about.tool ?? knownTool ?? toolNameOf(context)) === undefined) return inConversation;
  return undefined;
}

/** So that the model neither asks again nor commits again. Without texts from the data, which are not instructions. */
function tellModel({ about }: Preview, { recordId }: Shown & { kind: "committed" }): void {
  const tool = about.tool ?? knownTool;
  const done = recordId === undefined ? "It changed nothing." : `It is committed with record_id ${recordId}.`;
  const text = `The person has confirmed the preview of ${tool} in its card. ${done} Do not commit it again.`;
  const content = [{ type: "text", text }];
  const structuredContent = { tool, dry_run: false, ...(recordId === undefined ? {} : { record_id: recordId }) };
  const [method, params] = isRecord(capabilities.updateModelContext)
    ? ["ui/update-model-context", { content, structuredContent }]
    : ["ui/message", { role: "user", content }];
  // The change is made, whether the host takes the message or not.
  if (method !== "ui/message" || isRecord(capabilities.message)) host.request(method, params).catch(() => {});
}

function show(next: CardState): void {
  state = next;
  const focused = card.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const elements = cardElements(state, {
    toolName: knownTool ?? toolNameOf(context),
    reason,
    reasonProblem: problem,
    obstacle: obstacleTo(state),
    onReason: (given) => {
      reason = given;
    },
    onConfirm: () => void confirm(),
    onPreview: () => void previewAgain(),
  });
  card.replaceChildren(...elements);
  card.setAttribute("aria-busy", String(state.step === "waiting" || state.step === "committing"));
  if (focused !== undefined) (document.getElementById(focused) ?? document.getElementById("title"))?.focus();
  status.textContent = announcementOf(state);
}

/** What screen readers say when the card has changed. */
function announcementOf(shown: CardState): string {
  if (shown.step === "waiting") return "";
  if (shown.step === "committing") return "Confirming";
  const notice = card.querySelector(".notice")?.textContent ?? "Preview of a change";
  return problem ?? notice;
}

let reported = "";

function reportSize(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  const size = { width: window.innerWidth, height };
  if (JSON.stringify(size) === reported) return;
  reported = JSON.stringify(size);
  host.notify("ui/notifications/size-changed", size);
}

start().catch(() => {
  const notice = { tone: "danger", title: "This page is shown by MCP clients", text: "None has responded." } as const;
  show({ step: "stopped", notice, canPreviewAgain: false });
});
