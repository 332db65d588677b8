import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes that this process keeps after a garbage collection: heap and buffers. */
export function keptBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
