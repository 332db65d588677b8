import { ServiceError } from "../../contract/errors.js";
import type { Cancellation } from "./exchange.js";

/** Why a call got no usable response, as its caller is told. A write that may have been carried out says so. */
export type CallFailures = {
  timedOut(): ServiceError;
  incomplete(): ServiceError;
  /** `problem` completes "The ticketing platform …". */
  unusable(problem: string): ServiceError;
};

export function createCallFailures(
  method: string,
  cancellation: Cancellation,
  responseTimeoutMs: number,
): CallFailures {
  const unusable = (problem: string) =>
    new ServiceError("bad_gateway", `The ticketing platform ${problem}${retryWarning(method)}`, {
      details: { outcome: "unknown" },
    });
  const timedOut = () =>
    new ServiceError(
      "gateway_timeout",
      `The ticketing platform did not respond within ${responseTimeoutMs / 1000} s${retryWarning(method)}`,
      { details: { outcome: "unknown" } },
    );
  return {
    timedOut,
    unusable,
    incomplete: () =>
      cancellation.cause === "deadline" ? timedOut() : unusable("sent an incomplete or corrupt response"),
  };
}

function retryWarning(method: string): string {
  return method === "GET" ? "" : ". The change may or may not have been applied: check before you retry";
}
