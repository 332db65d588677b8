import { expect } from "vitest";

/** An expectation that may take a while to come true, also on a busy machine. */
export const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 10_000 });
