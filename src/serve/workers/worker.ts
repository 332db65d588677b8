import cluster from "node:cluster";
import { messageOf } from "../../../contract/errors.js";
import { buildApp } from "../../app.js";
import { loadConfig } from "../../config.js";
import { createDrain } from "../../http/drain.js";
import { serverLimits } from "../../infra/database/database-limits.js";
import { openLog } from "../../infra/observability/log.js";
import type { Operations } from "../../infra/observability/operations.js";
import { createStop, exitOnCrash, listenError, logStart, openMetrics, type Stop } from "../life-cycle.js";
import { openServing } from "../serving.js";
import type { Answers, MessageToPrimary, MessageToWorker, Question } from "./messages.js";

/** Serves the port that the primary listens on, with a schema that it has migrated, until the primary says so or ends. */
export async function runWorker(): Promise<void> {
  const life: Life = { stop: undefined, operations: undefined };
  followPrimary(life);
  const config = loadConfig();
  const opening = openLog(config.logLevel);
  const { log } = opening;
  exitOnCrash(opening);
  const metrics = await openMetrics(config, opening);
  const connection = { connectionString: config.databaseUrl ?? "" };
  const serving = openServing(config, log, metrics, { connection, limits: serverLimits });
  const { db, operations } = serving;
  try {
    const app = buildApp(config, db, log, {}, operations);
    const drain = createDrain(app, operations.readiness, () => tell({ kind: "listener-closed" }));
    await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
      throw listenError(error, config);
    });
    life.operations = operations;
    life.stop = createStop({ drain, opening, close: serving.close });
    logStart(log);
    tell({ kind: "listening" });
  } catch (error) {
    tell({ kind: "failed", reason: messageOf(error) }, () => process.exit(1));
  }
}

/** What there is once the worker listens. */
type Life = { stop: Stop | undefined; operations: Operations | undefined };

function followPrimary(life: Life): void {
  process.on("message", (message: MessageToWorker) => {
    if (message.kind === "question") void answer(message.question, life.operations, message.id);
    else if (life.stop === undefined) process.exit(0);
    else life.stop(message);
  });
  const { worker } = cluster;
  worker?.on("disconnect", () => {
    // Node would exit at once; the requests in flight can still finish.
    worker.exitedAfterDisconnect = true;
    if (life.stop === undefined) process.exit(1);
    if (!life.stop.isStopping()) life.stop({ graceMs: 0, signal: null });
  });
}

async function answer(question: Question, operations: Operations | undefined, id: number): Promise<void> {
  if (operations === undefined) return;
  const answers: { [Asked in Question]: () => Promise<Answers[Asked]> } = {
    metrics: () => operations.metrics.values(),
    readiness: () => operations.readiness.check(),
    alive: async () => true,
  };
  tell({ kind: "answer", id, answer: await answers[question]() });
}

function tell(message: MessageToPrimary, then: () => void = () => {}): void {
  if (process.send === undefined || !process.connected) then();
  else process.send(message, undefined, {}, then);
}
