import type { MetricValues } from "../../infra/observability/metrics.js";
import type { ReadinessReport } from "../../infra/observability/readiness.js";
import type { StopRequest } from "../life-cycle.js";

/** What the primary asks its workers. */
export type Answers = { metrics: MetricValues; readiness: ReadinessReport; alive: true };
export type Question = keyof Answers;

export type MessageToWorker = ({ kind: "drain" } & StopRequest) | { kind: "question"; id: number; question: Question };

export type MessageToPrimary =
  | { kind: "listening" }
  | { kind: "listener-closed" }
  | { kind: "failed"; reason: string }
  | { kind: "answer"; id: number; answer: Answers[Question] };
