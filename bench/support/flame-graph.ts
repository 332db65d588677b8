/** A CPU profile as V8 writes it, as far as it is used here. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** Microseconds from one sample to the next. */
  timeDeltas: number[];
};

export type FrameKind = "service" | "package" | "node" | "engine";

export type Frame = { name: string; file: string; kind: FrameKind; micros: number; self: number; children: Frame[] };

/** Adds up the samples by call stack. Time in which the process waited is left out. */
export function foldProfile({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const selfOf = new Map<number, number>();
  for (const [place, id] of samples.entries()) selfOf.set(id, (selfOf.get(id) ?? 0) + (timeDeltas[place] ?? 0));
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: "all", file: "", kind: "engine", micros: 0, self: 0, children: [] };
  const add = (id: number, parent: Frame): number => {
    const node = nodeOf.get(id);
    if (node === undefined || node.callFrame.functionName === "(idle)") return 0;
    const frame = childOf(parent, node.callFrame);
    const self = selfOf.get(id) ?? 0;
    const micros = self + (node.children ?? []).reduce((sum, child) => sum + add(child, frame), 0);
    frame.self += self;
    frame.micros += micros;
    return micros;
  };
  const [top] = nodes;
  root.micros = (top?.children ?? []).reduce((sum, child) => sum + add(child, root), 0);
  return root;
}

/** The frame of this function below its parent: V8 has several when a function was compiled again. */
function childOf(parent: Frame, { functionName, url }: CpuProfile["nodes"][number]["callFrame"]): Frame {
  const name = nameOf(functionName);
  const { file, kind } = placeOf(url);
  const known = parent.children.find((child) => child.name === name && child.file === file);
  if (known !== undefined) return known;
  const frame: Frame = { name, file, kind, micros: 0, self: 0, children: [] };
  parent.children.push(frame);
  return frame;
}

function nameOf(functionName: string): string {
  if (functionName === "(program)") return "native code, system calls";
  if (functionName === "(garbage collector)") return "garbage collection";
  return functionName === "" ? "(anonymous)" : functionName;
}

/** Compiled files are named after their sources. */
export function placeOf(url: string): { file: string; kind: FrameKind } {
  const ofPackage = /.*\/node_modules\/(.+)$/.exec(url)?.[1];
  if (ofPackage !== undefined) return { file: ofPackage, kind: "package" };
  const ofService = /\/dist\/(src\/.+)\.js$/.exec(url)?.[1];
  if (ofService !== undefined) return { file: `${ofService}.ts`, kind: "service" };
  if (url.startsWith("node:")) return { file: url, kind: "node" };
  return { file: "", kind: "engine" };
}

/** Replaces the children that are smaller than a part of the whole by one; it is left out if it is too small as well. */
export function mergeSmall(frame: Frame, minimumMicros: number): Frame {
  const large = frame.children.filter(({ micros }) => micros >= minimumMicros);
  const small = frame.children.filter(({ micros }) => micros < minimumMicros);
  const micros = small.reduce((sum, child) => sum + child.micros, 0);
  const other: Frame = { name: `${small.length} others`, file: "", kind: "engine", micros, self: micros, children: [] };
  const children = large.toSorted((a, b) => b.micros - a.micros).map((child) => mergeSmall(child, minimumMicros));
  return { ...frame, children: micros >= minimumMicros ? [...children, other] : children };
}
