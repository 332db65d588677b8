import { messageOf } from "../../contract/errors.js";
import type { Config } from "../config.js";
import type { Database } from "../infra/database/db.js";

export type Finding = {
  /** `skipped`: another finding keeps it from being examined. */
  state: "ok" | "warning" | "problem" | "skipped";
  finding: string;
  remedy?: string;
};

type CheckOf<Examined> = {
  name: string;
  /** What it finds, for the help. */
  finds: string;
  /** It is skipped if one of these variables is wrong. */
  variables: string[];
  run(examined: Examined): Promise<Finding>;
};

export type ConfigCheck = CheckOf<{ config: Config }>;
export type DatabaseCheck = CheckOf<{ config: Config; db: Database }>;

export const ok = (finding: string): Finding => ({ state: "ok", finding });
export const warning = (finding: string, remedy: string): Finding => ({ state: "warning", finding, remedy });
export const problem = (finding: string, remedy: string): Finding => ({ state: "problem", finding, remedy });
export const skipped = (reason: string): Finding => ({ state: "skipped", finding: reason });

/** Why something failed: errors for callers, of `fetch` and of libraries say it only in the innermost cause. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : messageOf(error);
}
