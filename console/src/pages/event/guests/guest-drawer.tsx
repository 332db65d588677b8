import { useQuery } from "@tanstack/react-query";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { capitalized } from "../../../../../contract/capitalized.ts";
import type { ToolResult } from "../../../../../contract/console/tool-results.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { call } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { useOrganization } from "../../../api/session.ts";
import { readTool } from "../../../api/tools.ts";
import { ErrorState } from "../../../ui/error-state.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { KeyValueList } from "../../../ui/key-value.tsx";
import { PageSkeleton, Skeleton } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { useEvent } from "../event-page.ts";
import { GuestActions } from "./guest-actions.tsx";
import styles from "./guest-drawer.module.css";
import { GuestHistory } from "./guest-history.tsx";
import { GuestStatusLabel } from "./guest-status.tsx";
import { QrCode } from "./qr-code.tsx";

type GuestDetails = ToolResult<"get_event_registration_details">;

type Props = { event: string; guest: Pick<Guest, "id" | "name">; zone: string; onClose: () => void };

/** Everything about one guest, beside the list. */
export function GuestDrawer({ event, guest, zone, onClose }: Props) {
  const organization = useOrganization();
  const details = useQuery({
    queryKey: eventKey(organization.id, event, "guest", guest.id),
    queryFn: () =>
      readTool(organization.id, "get_event_registration_details", {
        event_id: event,
        registration_id: guest.id,
      }),
  });
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.drawer ?? ""}>
        <Dialog className={styles.dialog ?? ""}>
          <header className={styles.header}>
            <div className={styles.headings}>
              <Heading slot="title" className={styles.title ?? ""} dir="auto">
                {details.data?.registration.name ?? guest.name}
              </Heading>
              {details.data !== undefined && <GuestStatusLabel {...details.data.registration} />}
            </div>
            <IconButton icon="close" label="Close" onPress={onClose} />
          </header>
          <div className={styles.body}>
            {details.isError && details.data === undefined ? (
              <ErrorState error={details.error} onRetry={() => void details.refetch()} />
            ) : details.data === undefined ? (
              <PageSkeleton />
            ) : (
              <Details event={event} details={details.data} zone={zone} />
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Details({ event, details, zone }: { event: string; details: GuestDetails; zone: string }) {
  const { registration, history, open_moves } = details;
  const { can_edit: canChange, status } = useEvent();
  const answers = Object.entries(registration.answers).map(([question, value]) => ({
    name: questionOf(question),
    value: answerOf(value),
  }));
  return (
    <>
      {status !== "archived" && (
        <GuestActions event={event} guest={registration} moves={open_moves} canChange={canChange} />
      )}
      <KeyValueList
        items={[
          { name: "E-mail", value: <a href={`mailto:${registration.email}`}>{registration.email}</a> },
          { name: "Ticket", value: registration.ticket_type },
          { name: "Registered", value: <Time at={registration.registered_at} zone={zone} /> },
          {
            name: "Checked in",
            value: registration.checked_in_at && <Time at={registration.checked_in_at} zone={zone} />,
          },
          { name: "Came from", value: registration.source },
          { name: "Note", value: registration.note },
        ]}
      />
      {registration.status === "approved" && <Code event={event} guest={registration} />}
      {answers.length > 0 && (
        <section className="column gap-3">
          <h3>Answers</h3>
          <KeyValueList items={answers} />
          {registration.answers_left_out !== undefined && (
            <p className="muted small">{registration.answers_left_out} very long answers are only in the export.</p>
          )}
        </section>
      )}
      <section className="column gap-3">
        <h3>History</h3>
        <GuestHistory entries={history} zone={zone} />
      </section>
    </>
  );
}

function Code({ event, guest }: { event: string; guest: Guest }) {
  const organization = useOrganization();
  const code = useQuery({
    queryKey: eventKey(organization.id, event, "code", guest.id),
    queryFn: ({ signal }) =>
      call("guestCode", { organization: organization.id, event, registration: guest.id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className="column gap-3">
      <h3>Guest code</h3>
      <div className="flex centered gap-4">
        <div className={styles.picture}>
          {code.data === undefined ? (
            <Skeleton height="100%" label="Loading the guest code" />
          ) : (
            <QrCode text={code.data.code} label={`Guest code of ${guest.name}`} />
          )}
        </div>
        <p className="muted small">
          Scanned at the door, it finds {guest.name} at once. It works for this event only, and admits whoever shows it.
        </p>
      </div>
    </section>
  );
}

/** "first_time" → "First time". Questions in words stay as they are. */
const questionOf = (name: string): string => capitalized(/\s/.test(name) ? name : name.replaceAll("_", " "));

function answerOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.join(", ");
  return value === null ? "" : JSON.stringify(value);
}
