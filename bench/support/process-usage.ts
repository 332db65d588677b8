import { readdirSync, readFileSync } from "node:fs";

/** From /proc, so on Linux only: user and system time of a process and of those that it started; null elsewhere. */
export function cpuMicros(pid: number): number | null {
  const ticks = processTree(pid).map(({ fields }) => Number(fields[11]) + Number(fields[12]));
  return ticks.length === 0 ? null : ticks.reduce((sum, value) => sum + value, 0) * microsPerTick;
}

/** Resident memory in MB of a process and of each that it started. */
export function residentMegabytes(pid: number): number[] {
  return processTree(pid).flatMap((found) => {
    const kibibytes = /VmRSS:\s+(\d+)/.exec(readOrEmpty(`/proc/${found.pid}/status`))?.[1];
    return kibibytes === undefined ? [] : [(Number(kibibytes) * 1024) / 1e6];
  });
}

/** USER_HZ, which Linux fixes at 100. */
const microsPerTick = 10_000;

type Process = { pid: number; parent: number; fields: string[] };

function processTree(root: number): Process[] {
  const all = readProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** The fields of /proc/PID/stat after the name, which can contain anything. */
function readProcesses(): Process[] {
  return numbersIn("/proc").flatMap((pid) => {
    const text = readOrEmpty(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return text === "" ? [] : [{ pid, parent: Number(fields[1]), fields }];
  });
}

/** A process can end at any time. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
