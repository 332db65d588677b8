// The load generator, a process of its own: it needs less CPU time than a general one and does not wait for other work.
import { generateLoad, type Load, type PreparedLoad, prepareLoad } from "../support/generator.js";
import type { LoadPlan } from "../support/request-plan.js";

export type GeneratorMessage =
  | { kind: "plan"; plan: number; load: LoadPlan }
  | { kind: "run"; plan: number; milliseconds: number };

export type GeneratorReply = { load: Load } | { error: string };

const plans = new Map<number, PreparedLoad>();

process.on("message", (message: GeneratorMessage) => {
  if (message.kind === "plan") {
    plans.set(message.plan, prepareLoad(message.load));
    return;
  }
  const plan = plans.get(message.plan);
  if (plan === undefined) throw new Error(`there is no plan ${message.plan}`);
  generateLoad(plan, message.milliseconds).then(
    (load) => process.send?.({ load } satisfies GeneratorReply),
    (error: Error) => process.send?.({ error: error.message } satisfies GeneratorReply),
  );
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole group: the parent ends this process.
process.on("SIGINT", () => {});
