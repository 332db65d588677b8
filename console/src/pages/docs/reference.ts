import { loadPart } from "../../ui/load-part.ts";
import type { Schema } from "./openapi.ts";

/** docs/reference.json: tools, scopes and errors. */
export type Tool = {
  name: string;
  title: string;
  group: string;
  kind: "read" | "mutation";
  destructive: boolean;
  description: string;
  scope: string;
  role: string;
  event_role: "host" | "host_or_co_host" | null;
  input: Schema & { $defs?: Record<string, Schema> };
  output: (Schema & { $defs?: Record<string, Schema> }) | null;
  example: Record<string, unknown>;
};

export type ErrorRow = { status: number; code: string; condition: string };

export type Reference = {
  tools: Tool[];
  scopes: Record<string, string>;
  errors: { rest: ErrorRow[]; ticketing: ErrorRow[]; tools: Record<string, string> };
};

let loaded: Promise<Reference> | undefined;

export function loadReference(): Promise<Reference> {
  loaded ??= loadPart(() => import("../../../../docs/reference.json")).then(
    (module) => module.default as unknown as Reference,
  );
  return loaded;
}
