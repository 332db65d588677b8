import { formatDuration } from "../../../format/times.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Warnings } from "../../../ui/inline-notice.tsx";
import { KeyValueList } from "../../../ui/key-value.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Placed, Plan } from "./layout.ts";
import { kindNames, type Names, nameOf, problemsInWords } from "./words.ts";

type Props = { segment: Placed; plan: Plan; names: Names; zone: string; onClose: () => void };

/** All about a segment, for those who cannot change it. */
export function SegmentDetails({ segment, plan, names, zone, onClose }: Props) {
  const { id, title, kind, start, end, location, speaker_ids, notes } = segment;
  return (
    <Dialog isOpen title={title} onClose={onClose} footer={<Button onPress={onClose}>Close</Button>}>
      <Warnings texts={problemsInWords(plan, id, names).map(({ long }) => long)} />
      <KeyValueList
        items={[
          { name: "Time", value: <Time at={start} until={end} zone={zone} /> },
          { name: "Length", value: formatDuration(end - start) },
          { name: "Kind", value: kindNames[kind] },
          ...(location === null ? [] : [{ name: "Location", value: <bdi>{location}</bdi> }]),
          ...(speaker_ids.length === 0
            ? []
            : [{ name: "Speakers", value: speaker_ids.map((speaker) => nameOf(names, speaker)).join(", ") }]),
          ...(notes === null
            ? []
            : [
                {
                  name: "Notes",
                  value: (
                    <span className="breaks keeps-lines" dir="auto">
                      {notes}
                    </span>
                  ),
                },
              ]),
        ]}
      />
    </Dialog>
  );
}
