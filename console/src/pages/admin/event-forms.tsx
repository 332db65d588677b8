import type { AdminEventDetails } from "../../../../contract/console/admin.ts";
import { maximumUrl, ticketingIdExample, ticketingIdPattern } from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { TextField } from "../../ui/text-field.tsx";
import { LookupField } from "./lookup-field.tsx";

const linkLabels = { ticketing_event_id: "Id of the event on the ticketing platform", luma_url: "Public page" };

export function TicketingForm({ event, onClose }: { event: AdminEventDetails; onClose: () => void }) {
  const draft = useDraft({
    form: `ticketing-link ${event.id}`,
    source: event,
    read: ({ ticketing_event_id, luma_url }) => ({
      ticketing_event_id: ticketing_event_id ?? "",
      luma_url: luma_url ?? "",
    }),
    labels: linkLabels,
    check: ({ ticketing_event_id: id }) => ({
      ticketing_event_id:
        id === "" || ticketingIdPattern.test(id) ? undefined : `Enter an id such as ${ticketingIdExample}`,
    }),
  });
  const { bind } = draft;
  return (
    <ChangeForm
      title="Ticketing link"
      submitLabel="Save link"
      draft={draft}
      onClose={onClose}
      change={(values) => {
        const orNull = (text: string) => (text === "" ? null : text);
        const tool = "set_event_ticketing_link";
        return {
          tool,
          title: `Link ${event.name}`,
          reason: `Linked ${event.name} to the ticketing platform`,
          args: {
            event_id: event.id,
            ticketing_event_id: orNull(values.ticketing_event_id),
            luma_url: orNull(values.luma_url),
          },
          confirmLabel: "Save link",
          done: "The ticketing link was saved",
          undo: {
            tool,
            args: { event_id: event.id, ticketing_event_id: event.ticketing_event_id, luma_url: event.luma_url },
          },
        };
      }}
    >
      <div className="column gap-4">
        <TextField
          label={linkLabels.ticketing_event_id}
          mono
          optional
          placeholder="evt-…"
          description="Empty: not linked. One platform event belongs to one event here."
          {...bind("ticketing_event_id")}
        />
        <TextField
          label={linkLabels.luma_url}
          type="url"
          optional
          placeholder="https://"
          maxLength={maximumUrl}
          {...bind("luma_url")}
        />
      </div>
    </ChangeForm>
  );
}

const noHost: { organization_id: string | null } = { organization_id: null };

export function HostForm({ event, onClose }: { event: AdminEventDetails; onClose: () => void }) {
  const draft = useDraft({
    form: `event-host ${event.id}`,
    source: noHost,
    read: (empty) => empty,
    check: ({ organization_id }) => ({ organization_id: required(organization_id, "an organization of the list") }),
  });
  const { bind } = draft;
  return (
    <ChangeForm
      title="Set host"
      description="The host manages the event. The host until now becomes a co-host."
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      change={(values) => ({
        tool: "set_event_host",
        args: { event_id: event.id, ...values },
        title: `Set the host of ${event.name}`,
        reason: `Set the host of ${event.name}`,
        confirmLabel: "Set host",
        done: "The host was set",
      })}
    >
      <LookupField label="Organization" list="organizations" {...bind("organization_id")} />
    </ChangeForm>
  );
}
