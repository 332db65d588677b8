import { maximumRedrawn } from "../../../../../contract/poster-designs.ts";
import { countOf } from "../../../format/counts.ts";
import { Button } from "../../../ui/button.tsx";
import { InlineNotice } from "../../../ui/inline-notice.tsx";
import { useRedraw } from "./poster-changes.tsx";

/** How many posters show what is no longer so, and the way to draw them again, as many as one change draws. */
export function OutdatedLine({ count }: { count: number }) {
  const redraw = useRedraw();
  if (count === 0) return null;
  const isAll = count <= maximumRedrawn;
  return (
    <div className="space-below">
      <InlineNotice
        action={
          <Button size="small" onPress={() => redraw.outdated(count)}>
            {isAll ? `Redraw ${countOf(count, "outdated poster")}` : `Redraw the first ${maximumRedrawn}`}
          </Button>
        }
      >
        {countOf(count, "poster was", "posters were")} drawn before the event changed.
      </InlineNotice>
    </div>
  );
}
