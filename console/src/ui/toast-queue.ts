export type Toast = {
  id: number;
  text: string;
  tone: "success" | "danger" | "busy";
  action: { label: string; run: () => void } | undefined;
  durationMs: number;
};

/** More at once would cover the page: the oldest go first. */
const maximumToasts = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says what happened, and offers to undo it. Nothing that a person must not miss. */
export function showToast(text: string, options: Partial<Pick<Toast, "tone" | "action" | "durationMs">> = {}): void {
  const durationMs = options.durationMs ?? (options.action === undefined ? 6000 : 10_000);
  add({ text, tone: options.tone ?? "success", action: options.action, durationMs });
}

/** Says that something takes its time, until the function that it returns is called. */
export function showBusyToast(text: string): () => void {
  const id = add({ text, tone: "busy", action: undefined, durationMs: Number.POSITIVE_INFINITY });
  return () => dismissToast(id);
}

function add(toast: Omit<Toast, "id">): number {
  lastId += 1;
  publish([...toasts, { id: lastId, ...toast }].slice(-maximumToasts));
  return lastId;
}

export const dismissToast = (id: number): void => publish(toasts.filter((toast) => toast.id !== id));

export const toastsNow = (): readonly Toast[] => toasts;

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
