import { closeSync } from "node:fs";
import { isatty } from "node:tty";

const terminals = [0, 1, 2].filter(isatty);

/** Node 20 crashes at the end if it cannot restore the settings of a terminal that is gone; what is closed it leaves alone. */
export function exitProcess(code: number): never {
  for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  process.exit(code);
}
