import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createLogDestination } from "./log-destination.js";

/** A stream whose reader reads only when told to. */
function createStalledStream() {
  let text = "";
  let release: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 10,
    write(chunk, _encoding, done) {
      text += String(chunk);
      release = done;
    },
  });
  const read = () => {
    const done = release;
    release = undefined;
    done?.();
  };
  return { stream, text: () => text, read };
}

it("writes the lines of one turn at once", async () => {
  const writes: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const destination = createLogDestination(stream, { onDropped: () => {} });
  destination.write("a\n");
  destination.write("b\n");
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes).toEqual(["a\nb\n"]);
});

it("buffers up to its limit, drops and counts the rest, and reports it once the reader has caught up", async () => {
  const reports: number[] = [];
  const { stream, text, read } = createStalledStream();
  const destination = createLogDestination(stream, { limitBytes: 100, onDropped: (lines) => reports.push(lines) });
  for (let line = 0; line < 50; line++) {
    destination.write(`line ${String(line).padStart(4)}\n`);
    destination.flush();
  }
  expect([destination.dropped(), stream.writableLength, reports]).toEqual([40, 100, []]);
  for (let round = 0; round < 20; round++) {
    read();
    await nextTurn();
  }
  expect(reports).toEqual([40]);
  expect(text().match(/line/g)).toHaveLength(10);
  destination.write("later\n");
  await nextTurn();
  expect(text()).toMatch(/line +9\nlater\n$/);
  expect(destination.dropped()).toBe(40);
});

it("waits for a stalled reader no longer than told", async () => {
  const { stream } = createStalledStream();
  const destination = createLogDestination(stream, { onDropped: () => {} });
  destination.write("a\n");
  await destination.drained(20);
  expect(stream.writableLength).toBeGreaterThan(0);
});

it("counts lines that cannot be written, such as on a full disk", async () => {
  const stream = new Writable({ autoDestroy: false, write: (_chunk, _encoding, done) => done(new Error("ENOSPC")) });
  stream.on("error", () => {});
  const destination = createLogDestination(stream, { onDropped: () => {} });
  destination.write("a\n");
  destination.write("b\n");
  await destination.drained(1_000);
  await nextTurn();
  expect(destination.dropped()).toBe(2);
});
