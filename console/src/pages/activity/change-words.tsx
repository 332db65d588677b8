import { Fragment, type ReactNode } from "react";
import { prepositionOf, type Sentence, type Subject } from "../../../../contract/change-sentence.ts";
import type { ListedRecord } from "../../../../contract/console/records.ts";
import { formatCount } from "../../format/counts.ts";
import { Link } from "../../ui/link.tsx";

type Props = {
  sentence: Sentence;
  event: ListedRecord["event"];
  /** Of the organization; without it, nothing is a link. */
  slug: string;
  /** On the page of one event, its name says nothing. */
  hidesEvent: boolean;
};

/** "approved 8 guests of Opening Keynote: Ana, Ben and 6 more", with links. */
export function ChangeWords({ sentence, event, slug, hidesEvent }: Props) {
  const { verb, noun, subjects, more } = sentence;
  const ofEvent = event !== null && !hidesEvent && (
    <>
      {" "}
      {prepositionOf(sentence)} <EventName event={event} slug={slug} />
    </>
  );
  const names = (
    <>
      {subjects.map((subject, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is made once and never reordered.
        <Fragment key={index}>
          {index > 0 && ", "}
          <SubjectLink subject={subject} event={event} slug={slug} />
        </Fragment>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </>
  );
  const what = [verb, noun].filter((part) => part !== "").join(" ");
  if (subjects.length === 0)
    return (
      <>
        {what}
        {ofEvent}
      </>
    );
  if (prepositionOf(sentence) === "for")
    return (
      <>
        {what} {names}
        {ofEvent}
      </>
    );
  return (
    <>
      {what}
      {ofEvent}: {names}
    </>
  );
}

/** The tab of the event on which people find what a change was about. */
const tabs = {
  guest: "/o/$organization/events/$event/guests",
  speaker: "/o/$organization/events/$event/speakers",
  segment: "/o/$organization/events/$event/run-of-show",
  poster: "/o/$organization/events/$event/posters",
} as const;

function SubjectLink({ subject, event, slug }: { subject: Subject } & Pick<Props, "event" | "slug">): ReactNode {
  const { kind, id, name } = subject;
  const shown = <bdi>{name}</bdi>;
  if (event === null || event.name === null || !(kind in tabs)) return shown;
  const to = tabs[kind as keyof typeof tabs];
  const search = kind === "guest" && id !== null ? { guest: id } : {};
  return (
    <Link to={to} params={{ organization: slug, event: event.id }} search={search as never} quiet className="breaks">
      {shown}
    </Link>
  );
}

function EventName({ event, slug }: { event: NonNullable<ListedRecord["event"]>; slug: string }) {
  if (event.name === null) return <span className="breaks muted">an event that was removed</span>;
  return (
    <Link
      to="/o/$organization/events/$event"
      params={{ organization: slug, event: event.id }}
      quiet
      className="breaks"
      dir="auto"
    >
      {event.name}
    </Link>
  );
}
