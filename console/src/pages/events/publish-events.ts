import { messageOf } from "../../api/api-error.ts";
import { changeAtOnce, commitTool, type Preview, previewTool, type ToolScope } from "../../api/tools.ts";

/** Each event is previewed and changed by itself, so that its activity has the change. */
export const maximumPublished = 50;

const tool = "update_event_details";

type Named = { id: string; name: string };
export type Previewed = { event: Named } & ({ preview: Preview } | { problem: string });

export const previewPublication = (scope: ToolScope, events: Named[]): Promise<Previewed[]> =>
  oneByOne(events, (event) =>
    previewTool(scope, tool, { event_id: event.id, status: "published" }).then(
      (preview) => ({ event, preview }),
      (error) => ({ event, problem: messageOf(error) }),
    ),
  );

export type Published = { event: Named } & ({ recordId: string | undefined } | { problem: string });

/** Commits what was previewed, as far as it is possible: an event that was changed meanwhile is left out. */
export const publish = (
  scope: ToolScope,
  previews: { event: Named; preview: Preview }[],
  reason: string,
): Promise<Published[]> =>
  oneByOne(previews, ({ event, preview }) =>
    commitTool(scope, tool, preview, reason).then(
      ({ record_id: recordId }) => ({ event, recordId }),
      (error) => ({ event, problem: messageOf(error) }),
    ),
  );

/** Takes back all of it, the last first. */
export async function unpublish(scope: ToolScope, published: Published[]): Promise<void> {
  const recordIds = published.flatMap((one) => ("recordId" in one && one.recordId !== undefined ? [one.recordId] : []));
  await oneByOne(recordIds.toReversed(), (record_id) =>
    changeAtOnce(scope, "revert_change", { record_id }, "Undo: publish events"),
  );
}

async function oneByOne<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
