import { expect } from "vitest";
import type { OrganizationCaller } from "../../src/access/caller.js";
import type { Database } from "../../src/platform/db.js";
import { ServiceError } from "../../src/platform/errors.js";
import { tools } from "../../src/registry.js";
import { inputSchemaOf, parseArguments } from "../../src/tools/commit-arguments.js";
import { runTool } from "../../src/tools/run.js";
import { publicUrl } from "./service.js";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
type Json = any;

type Args = Record<string, unknown>;

/** Calls tools below the door, as one caller. Results are what a client would read. */
export function toolRunnerOn(db: Database, caller: OrganizationCaller) {
  const services = { drawPoster: () => Promise.reject(new Error("these tools draw nothing")) };

  const run = async (name: string, args: Args): Promise<Json> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const parsed = parseArguments(inputSchemaOf(tool), args);
    const result = JSON.parse(
      JSON.stringify(await runTool({ db, baseUrl: publicUrl, services }, { tool, caller, parsed })),
    );
    if (tool.kind === "read") expect(tool.output.safeParse(result).error).toBeUndefined();
    return result;
  };

  return {
    run,

    /** Previews, then commits what the preview said; the result has the changes of the preview beside its own fields. */
    async commit(name: string, args: Args, reason = "for the test"): Promise<Json> {
      const preview = await run(name, args);
      expect(preview.dry_run).toBe(true);
      return { ...(await run(name, { ...preview.commit_with, reason })), changes: preview.changes };
    },

    async refusal(name: string, args: Args): Promise<ServiceError> {
      const error: unknown = await run(name, args).catch((thrown: unknown) => thrown);
      if (!(error instanceof ServiceError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
      return error;
    },
  };
}

export type TestTools = ReturnType<typeof toolRunnerOn>;
