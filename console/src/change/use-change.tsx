import { useLocation } from "@tanstack/react-router";
import { createContext, type ReactNode, Suspense, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { reasonAgainst } from "../../../contract/irreversible.ts";
import { messageOf } from "../api/api-error.ts";
import { queryClient } from "../api/query-client.ts";
import { organizationKey, platformKey } from "../api/query-keys.ts";
import { useOptionalOrganization } from "../api/session.ts";
import { type Committed, changeAtOnce, type Json, type Preview, type ToolScope } from "../api/tools.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { showToast } from "../ui/toast-queue.ts";
import type { ChangeRequest, UndoRequest } from "./change-request.ts";
import type { JobRequest } from "./job-request.ts";
import { longestReason } from "./reason.ts";

/** Loaded with the first change: reading pages do not need it. */
const ChangeDialog = lazyPart(() => import("./change-dialog.tsx"), "ChangeDialog");

const JobDialog = lazyPart(() => import("./job-dialog.tsx"), "JobDialog");

type OpenChange = {
  id: number;
  request: ChangeRequest;
  scope: ToolScope;
  resolve: (result: Committed | undefined) => void;
};

export type Change = {
  /** Opens the dialog. Resolves with the result, or with undefined when the person dropped the change. */
  open: (request: ChangeRequest) => Promise<Committed | undefined>;
};

const JobContext = createContext<((request: JobRequest) => void) | null>(null);

const ChangeContext = createContext<
  ((request: ChangeRequest, scope: ToolScope) => Promise<Committed | undefined>) | null
>(null);

export function ChangeProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<OpenChange>();
  const start = useCallback(
    (request: ChangeRequest, scope: ToolScope) =>
      new Promise<Committed | undefined>((resolve) =>
        setOpen((before) => {
          before?.resolve(undefined);
          return { id: (before?.id ?? 0) + 1, request, scope, resolve };
        }),
      ),
    [],
  );
  const [job, setJob] = useState<{ id: number; request: JobRequest }>();
  const startJob = useCallback(
    (request: JobRequest) => setJob((before) => ({ id: (before?.id ?? 0) + 1, request })),
    [],
  );
  const close = (result?: Committed, preview?: Preview) => {
    if (open === undefined) return;
    setOpen(undefined);
    open.resolve(result);
    if (result !== undefined && preview !== undefined) void afterCommit(open, result, preview);
  };
  const isSigningIn = useLocation({ select: ({ pathname }) => pathname === "/sign-in" });
  useEffect(() => {
    if (!isSigningIn) return;
    // Whoever signs in next may not see it.
    setOpen((before) => {
      before?.resolve(undefined);
      return undefined;
    });
    setJob(undefined);
  }, [isSigningIn]);
  return (
    <ChangeContext value={start}>
      <JobContext value={startJob}>{children}</JobContext>
      {open !== undefined && (
        <Suspense>
          <ChangeDialog key={open.id} request={open.request} scope={open.scope} onClose={close} />
        </Suspense>
      )}
      {job !== undefined && (
        <Suspense>
          <JobDialog
            key={job.id}
            request={job.request}
            start={startJob}
            onClose={() => setJob(undefined)}
            onChanged={() => invalidate({ organization: job.request.organization })}
          />
        </Suspense>
      )}
    </ChangeContext>
  );
}

/** The one way in which pages change something: `const change = useChange(); change.open({ tool, args, title, reason })`. */
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

async function afterCommit({ request, scope }: OpenChange, result: Committed, preview: Preview): Promise<void> {
  const given = typeof request.undo === "function" ? request.undo(preview) : request.undo;
  const undo = given === undefined ? revertOf(request.tool, result) : given;
  const action = undo === null ? undefined : { label: "Undo", run: () => void takeBack(scope, request, undo) };
  showToast(request.done ?? `Done: ${request.title}`, action === undefined ? {} : { action });
  // It may leave a page that the change has closed to the person, and that would be read again otherwise.
  await request.onDone?.(result);
  invalidate(scope);
}

function revertOf(tool: string, { record_id }: Committed): UndoRequest | null {
  if (record_id === undefined || reasonAgainst(tool) !== undefined) return null;
  return { tool: "revert_change", args: { record_id } };
}

async function takeBack(scope: ToolScope, request: ChangeRequest, undo: UndoRequest): Promise<void> {
  try {
    await changeAtOnce(scope, undo.tool, undo.args, undoReason(request.title));
    showToast("Undone");
  } catch (error) {
    showToast(`This could not be undone. ${messageOf(error)}`, { tone: "danger" });
  }
  invalidate(scope);
}

const undoReason = (what: string) => `Undo: ${what}`.slice(0, longestReason);

/** Live updates would do this too, a moment later. */
function invalidate(scope: ToolScope): void {
  const queryKey = scope === "platform" ? platformKey() : organizationKey(scope.organization);
  void queryClient.invalidateQueries({ queryKey });
}
