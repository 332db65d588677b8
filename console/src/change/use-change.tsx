import { useLocation } from "@tanstack/react-router";
import {
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { reasonAgainst } from "../../../contract/irreversible.ts";
import { queryClient } from "../api/query-client.ts";
import { organizationKey, platformKey } from "../api/query-keys.ts";
import { useOptionalOrganization } from "../api/session.ts";
import { type Committed, changeAtOnce, type Json, type Preview, type ToolScope } from "../api/tools.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { loadPart } from "../ui/load-part.ts";
import { showBusyToast, showToast } from "../ui/toast-queue.ts";
import type { ChangeRequest, UndoRequest } from "./change-request.ts";
import type { ChangeState } from "./change-state.ts";
import type { JobRequest } from "./job-request.ts";

/** Aborted when the person leaves. */
let stay = new AbortController();

/** Sends nothing more of the changes that are under way or wait: whoever signs in next did not ask for them. */
export function stopChanges(): void {
  stay.abort();
  stay = new AbortController();
}

/** Loaded with the first change: reading pages do not need them. */
const loadDialog = () => import("./change-dialog.tsx");
const loadRun = () => import("./run-change.ts");

const ChangeDialog = lazyPart(loadDialog, "ChangeDialog");

const JobDialog = lazyPart(() => import("./job-dialog.tsx"), "JobDialog");

type OpenChange = {
  id: number;
  request: ChangeRequest;
  scope: ToolScope;
  first: ChangeState;
  resolve: (result: Committed | undefined) => void;
};

export type Change = {
  /**
   * Makes the change, and says so with an offer to undo it. Opens the dialog first where a person has to decide, and where
   * something went wrong. Resolves with the result, or with undefined when nothing was changed.
   */
  open: (request: ChangeRequest) => Promise<Committed | undefined>;
};

const JobContext = createContext<((request: JobRequest) => void) | null>(null);

const ChangeContext = createContext<
  ((request: ChangeRequest, scope: ToolScope) => Promise<Committed | undefined>) | null
>(null);

export function ChangeProvider({ children }: { children: ReactNode }) {
  const { dialogs, start, close, forget } = useChanges();
  const [job, setJob] = useState<JobRequest>();
  const openJob = useRef<JobRequest>(undefined);
  const showJob = useCallback((request: JobRequest | undefined) => {
    openJob.current = request;
    setJob(request);
  }, []);
  const startJob = useCallback(
    (request: JobRequest) => {
      if (openJob.current === undefined) showJob(request);
      else showToast(`Not started: finish “${openJob.current.title}” first.`, { tone: "danger" });
    },
    [showJob],
  );
  const isSigningIn = useLocation({ select: ({ pathname }) => pathname === "/sign-in" });
  useEffect(() => {
    if (!isSigningIn) return;
    // Whoever signs in next may not see it.
    forget();
    showJob(undefined);
  }, [isSigningIn, forget, showJob]);
  const [open] = dialogs;
  return (
    <ChangeContext value={start}>
      <JobContext value={startJob}>{children}</JobContext>
      {open !== undefined && (
        <Suspense>
          <ChangeDialog
            key={open.id}
            request={open.request}
            scope={open.scope}
            first={open.first}
            onClose={(result, preview) => close(open, result, preview)}
          />
        </Suspense>
      )}
      {job !== undefined && (
        <Suspense>
          <JobDialog
            request={job}
            start={startJob}
            onClose={() => showJob(undefined)}
            onChanged={() => invalidate({ organization: job.organization })}
          />
        </Suspense>
      )}
    </ChangeContext>
  );
}

/** The changes that are under way, and the dialogs of those that ask, of which one is shown at a time. */
function useChanges() {
  const [dialogs, setDialogs] = useState<OpenChange[]>([]);
  const openNow = useRef<OpenChange[]>([]);
  const show = useCallback((next: OpenChange[]) => {
    openNow.current = next;
    setDialogs(next);
  }, []);
  const underWay = useRef(new Set<string>());
  const lastId = useRef(0);
  const ask = useCallback(
    (request: ChangeRequest, scope: ToolScope, first: ChangeState) =>
      new Promise<Committed | undefined>((resolve) => {
        lastId.current += 1;
        show([...openNow.current, { id: lastId.current, request, scope, first, resolve }]);
      }),
    [show],
  );
  const start = useCallback(
    async (request: ChangeRequest, scope: ToolScope) => {
      const key = JSON.stringify([scope, request.tool, request.args]);
      // Pressed twice, it is made once.
      if (underWay.current.has(key)) return undefined;
      underWay.current.add(key);
      const { signal } = stay;
      try {
        // It is there if the connection is lost.
        void loadDialog().catch(() => {});
        const state = await showingThatItTakesTime(
          loadPart(loadRun).then(({ runInTurn }) => runInTurn(request, scope, signal)),
        );
        if (signal.aborted) return undefined;
        if (state.step !== "done") return await ask(request, scope, state);
        void afterCommit(request, scope, state.result, state.preview);
        return state.result;
      } finally {
        underWay.current.delete(key);
      }
    },
    [ask],
  );
  const close = ({ id, request, scope, resolve }: OpenChange, result?: Committed, preview?: Preview) => {
    show(openNow.current.filter((other) => other.id !== id));
    resolve(result);
    if (result !== undefined && preview !== undefined) void afterCommit(request, scope, result, preview);
  };
  const forget = useCallback(() => {
    stopChanges();
    for (const { resolve } of openNow.current) resolve(undefined);
    show([]);
  }, [show]);
  return { dialogs, start, close, forget };
}

/** After this time, a person wonders whether the press was noticed. */
const noticeableMs = 500;

async function showingThatItTakesTime<Result>(work: Promise<Result>): Promise<Result> {
  let hide = () => {};
  const timer = setTimeout(() => {
    hide = showBusyToast("Saving…");
  }, noticeableMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    hide();
  }
}

/** The one way in which pages change something: `change.open({ tool, args, title, reason })`. */
export function useChange(): Change {
  const start = useContext(ChangeContext);
  if (start === null) throw new Error("useChange: there is no ChangeProvider around this page");
  const scope = usePageScope();
  return useMemo(
    () => ({
      open: (request) => {
        const target = request.scope ?? scope;
        if (target === undefined)
          throw new Error(`useChange: pass a scope, the path names no organization (${request.tool})`);
        return start(request, target);
      },
    }),
    [start, scope],
  );
}

/** Starts changes of more rows than one commit takes. */
export function useJob(): (request: JobRequest) => void {
  const start = useContext(JobContext);
  if (start === null) throw new Error("useJob: there is no ChangeProvider around this page");
  return start;
}

export type ToolRunner = (request: {
  tool: string;
  args: Json;
  reason: string;
  scope?: ToolScope;
}) => Promise<Committed>;

/** Previews and commits without asking, for what must be quick and can be taken back, such as a check-in at the door. */
export function useTool(): ToolRunner {
  const scope = usePageScope();
  return useCallback(
    async ({ tool, args, reason, scope: given }) => {
      const target = given ?? scope;
      if (target === undefined) throw new Error(`useTool: pass a scope, the path names no organization (${tool})`);
      const result = await changeAtOnce(target, tool, args, reason);
      invalidate(target);
      return result;
    },
    [scope],
  );
}

function usePageScope(): ToolScope | undefined {
  const organization = useOptionalOrganization()?.id;
  const isPlatform = useLocation({ select: ({ pathname }) => pathname.startsWith("/admin") });
  return useMemo(
    () => (organization !== undefined ? { organization } : isPlatform ? ("platform" as const) : undefined),
    [organization, isPlatform],
  );
}

async function afterCommit(
  request: ChangeRequest,
  scope: ToolScope,
  result: Committed,
  preview: Preview,
): Promise<void> {
  const given = typeof request.undo === "function" ? request.undo(preview) : request.undo;
  const undo = given === undefined ? revertOf(request.tool, result) : given;
  const action = undo === null ? undefined : { label: "Undo", run: () => void takeBack(scope, request, undo) };
  showToast(request.done ?? request.reason, action === undefined ? {} : { action });
  // It may leave a page that the change has closed to the person, and that would be read again otherwise.
  await request.onDone?.(result);
  invalidate(scope);
}

function revertOf(tool: string, { record_id }: Committed): UndoRequest | null {
  if (record_id === undefined || reasonAgainst(tool) !== undefined) return null;
  return { tool: "revert_change", args: { record_id } };
}

async function takeBack(scope: ToolScope, request: ChangeRequest, undo: UndoRequest): Promise<void> {
  const { signal } = stay;
  await showingThatItTakesTime(
    loadPart(loadRun).then(({ takeBackInTurn }) => takeBackInTurn(scope, request, undo, signal)),
  );
  invalidate(scope);
}

/** Live updates would do this too, a moment later. */
function invalidate(scope: ToolScope): void {
  const queryKey = scope === "platform" ? platformKey() : organizationKey(scope.organization);
  void queryClient.invalidateQueries({ queryKey });
}
