import { listOf } from "../format/counts.ts";
import { Button } from "../ui/button.tsx";
import { InlineNotice } from "../ui/inline-notice.tsx";
import { RelativeTime } from "../ui/time.tsx";
import type { Draft } from "./use-draft.ts";

/** Says that what was entered earlier has come back, and what others have changed since. */
export function DraftNotice({ draft: { cameBackFrom, changedByOthers, discard } }: { draft: Draft }) {
  return (
    <>
      {cameBackFrom !== undefined && (
        <InlineNotice
          action={
            <Button size="small" onPress={discard}>
              Discard
            </Button>
          }
        >
          You have unsaved changes from <RelativeTime at={cameBackFrom} />.
        </InlineNotice>
      )}
      {changedByOthers.length > 0 && (
        <InlineNotice tone="warning" title="Somebody changed this in the meantime" live>
          Changed: {listOf(changedByOthers.map((label) => `“${label}”`))}. Only what you enter here is saved; you see
          the difference to what is stored before anything happens.
        </InlineNotice>
      )}
    </>
  );
}
