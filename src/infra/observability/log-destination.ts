import type { Writable } from "node:stream";

export type LogDestination = {
  write(line: string): void;
  /** Hands everything that is buffered to the stream. A pipe with room takes it at once. */
  flush(): void;
  /** Resolves when the stream has taken everything, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
  /** Lines that were dropped since the start. */
  dropped(): number;
};

const limitBytes = 1024 * 1024;

/**
 * Writes lines to a stream that nobody may be reading: what exceeds `limitBytes` is dropped and counted. `onDropped` is
 * called with the count once the reader has caught up. The lines of one event-loop turn are one write.
 */
export function createLogDestination(
  stream: Writable,
  options: { limitBytes?: number; onDropped: (lines: number) => void },
): LogDestination {
  const limit = options.limitBytes ?? limitBytes;
  let buffered = "";
  let bufferedLines = 0;
  let dropped = 0;
  let reported = 0;

  function flush(): void {
    if (buffered === "") return;
    const [text, lines] = [buffered, bufferedLines];
    buffered = "";
    bufferedLines = 0;
    stream.write(text, (error) => {
      // A full disk or a closed pipe loses lines, but never stops the service.
      if (error) dropped += lines;
      else reportDropped();
    });
  }

  function reportDropped(): void {
    if (dropped === reported || stream.writableLength > limit / 2) return;
    const lines = dropped - reported;
    reported = dropped;
    options.onDropped(lines);
  }

  return {
    write(line) {
      if (stream.writableLength + buffered.length + line.length > limit) {
        dropped += 1;
        return;
      }
      if (buffered === "") setImmediate(flush);
      buffered += line;
      bufferedLines += 1;
    },
    flush,
    async drained(timeoutMs) {
      flush();
      if (stream.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        stream.write("", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    dropped: () => dropped,
  };
}
