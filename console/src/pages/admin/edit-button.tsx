import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type DetailList, type Details, useDetail } from "./admin-api.ts";
import { lazyForm } from "./lazy-form.tsx";

export const ConferenceForm = lazyForm(async () => (await import("./conference-form.tsx")).ConferenceForm);
const EventDetailsForm = lazyForm(async () => (await import("./event-details-form.tsx")).EventDetailsForm);
export const OrganizationForm = lazyForm(async () => (await import("./organization-form.tsx")).OrganizationForm);

type Form<Row> = (row: Row, onClose: () => void) => ReactNode;

const forms: { [Name in DetailList]: Form<Details[Name]> } = {
  conferences: (conference, onClose) => <ConferenceForm conference={conference} onClose={onClose} />,
  events: (event, onClose) => <EventDetailsForm event={event} onClose={onClose} />,
  organizations: (organization, onClose) => <OrganizationForm organization={organization} onClose={onClose} />,
};

type Props = { list: DetailList; id: string; name: string };

/** Edits a row of a list. */
export function EditRow({ list, id, name }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="edit" label={`Edit ${name}`} onPress={() => setOpen(true)} />
      {isOpen && <RowForm list={list} id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Edits the row that a page is about. */
export function EditButton({ list, id, name }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="edit" onPress={() => setOpen(true)}>
        Edit
      </Button>
      {isOpen && <RowForm list={list} id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The form shows more of the row than a list has. */
function RowForm<Name extends DetailList>({ list, id, name, onClose }: Props & { list: Name; onClose: () => void }) {
  const { data, error, refetch } = useDetail(list, id);
  if (data !== undefined) return forms[list](data, onClose);
  return (
    <Dialog isOpen title={`Edit ${name}`} onClose={onClose} footer={<Button onPress={onClose}>Close</Button>}>
      {error === null ? (
        <Skeleton height="240px" label="Loading" />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}
