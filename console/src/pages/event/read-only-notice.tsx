import { InlineNotice } from "../../ui/inline-notice.tsx";
import { useEvent } from "./event-page.ts";

/** For people who cannot change the event: the reason, where the buttons would be. */
export function ReadOnlyNotice() {
  const { read_only_reason } = useEvent();
  if (read_only_reason === undefined) return null;
  return (
    <div className="space-below">
      <InlineNotice title="You can look at this event, but not change it">{read_only_reason}</InlineNotice>
    </div>
  );
}
