import { expect } from "vitest";
import { type Change, changesBetween } from "../../contract/changes.js";
import { ServiceError } from "../../contract/errors.js";
import type { OrganizationCaller } from "../../src/access/caller.js";
import type { Database } from "../../src/infra/database/db.js";
import { createObservation } from "../../src/infra/observability/observation.js";
import { consoleTools, type ToolServices, tools } from "../../src/registry.js";
import { callTool } from "../../src/runner/run.js";
import { publicUrl } from "./service.js";

// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape.
type Json = any;

/** Who calls the tools, and the event that event tools get unless the arguments name another. */
export type ToolUser = { caller: OrganizationCaller; eventId: string };

export type ToolRunner = {
  /** One call, without an endpoint. The result is what a client would read. */
  run(name: string, args?: object): Promise<Json>;
  /** Previews, then commits with the preview's `commit_with`. The result has the preview beside its own fields. */
  commit(name: string, args?: object, why?: string): Promise<Json>;
  /** The error of a call that must fail with a ServiceError. */
  refusal(name: string, args?: object): Promise<ServiceError>;
  /** The same for a caller with other properties. */
  as(changes: Partial<OrganizationCaller>): ToolRunner;
};

export const reason = "for the test";

const noServices: ToolServices = {
  drawPoster: () => Promise.reject(new Error("this tool runner has no poster generator")),
  loadPoster: () => Promise.reject(new Error("this tool runner has no poster loader")),
  previewUrl: async () => ({ url: `${publicUrl}/images/none.png`, expires_at: new Date().toISOString() }),
  imageQuotaBytes: 1_000_000_000,
  isDeployed: () => true,
  mailInvitation: async () => false,
};

export function createToolRunner(
  db: Database,
  { caller, eventId }: ToolUser,
  given: Partial<ToolServices> = {},
): ToolRunner {
  const services = { ...noServices, ...given };
  const run = async (name: string, args: object = {}): Promise<Json> => {
    const tool = [...tools, ...consoleTools].find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`unknown tool: ${name}`);
    const given = tool.event === undefined ? { ...args } : { event_id: eventId, ...args };
    const call = { tool, caller, args: given };
    const outcome = await callTool({ db, baseUrl: publicUrl, services }, call, createObservation(null));
    const result = JSON.parse(JSON.stringify(outcome));
    if (tool.kind === "read") expect(tool.output.safeParse(result).error).toBeUndefined();
    return result;
  };

  return {
    run,

    async commit(name, args, why = reason) {
      const preview = await run(name, args);
      expect(preview.dry_run).toBe(true);
      return { ...(await run(name, { ...preview.commit_with, reason: why })), preview };
    },

    refusal: (name, args) => refusalOf(run(name, args)),

    as: (changes) => createToolRunner(db, { caller: { ...caller, ...changes }, eventId }, services),
  };
}

/** What a preview changes. */
export function changesOf({ current, proposed }: Json): Change[] {
  return changesBetween(current, proposed);
}

export async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof ServiceError) return outcome;
  throw new Error("expected a ServiceError", { cause: outcome });
}
