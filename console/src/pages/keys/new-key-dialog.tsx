import { useState } from "react";
import { localZone } from "../../format/times.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./new-key-dialog.module.css";
import { type Snippet, snippetsFor } from "./snippets.ts";

/** `secret` is missing where the response was lost: it cannot be shown again. `expiresAt` is null if it does not expire. */
export type NewKey = { id: string; name: string; secret: string | undefined; expiresAt: string | null };

/** How often a page reads whether the key was used: uses are stored every few seconds. */
export const firstRequestPollMs = 2500;

type Props = { newKey: NewKey; tier: Snippet["tiers"][number]; isUsed: boolean; onClose: () => void };

export function NewKeyDialog({ newKey: { name, secret, expiresAt }, tier, isUsed, onClose }: Props) {
  if (secret === undefined) return <LostKeyDialog name={name} onClose={onClose} />;
  return (
    <SecretDialog
      size="large"
      title={`“${name}” is ready`}
      description="This is the only time that the key is shown: store it now, for example in a password manager."
      secret={secret}
      what="key"
      onClose={onClose}
    >
      <p className="faint small">
        {expiresAt === null ? (
          "Works until it is revoked."
        ) : (
          <>
            Works until <Time at={expiresAt} zone={localZone()} />.
          </>
        )}
      </p>
      <div role="status" className={isUsed ? styles.received : styles.waiting}>
        <span className={styles.sign}>{isUsed ? <Icon name="check-circle" /> : <Spinner />}</span>
        {isUsed ? "The first request has arrived: the key works." : "Waiting for the first request…"}
      </div>
      <Snippets snippets={snippetsFor(window.location.origin, secret, tier)} />
    </SecretDialog>
  );
}

function Snippets({ snippets }: { snippets: Snippet[] }) {
  const [chosen, setChosen] = useState("curl");
  const snippet = snippets.find(({ id }) => id === chosen);
  return (
    <div className={styles.snippets}>
      <Select
        label="Use it with"
        options={snippets.map(({ id, title }) => ({ value: id, label: title }))}
        value={chosen}
        onChange={setChosen}
      />
      {snippet !== undefined && <CodeBlock code={snippet.code} label={snippet.label} what={snippet.what} />}
    </div>
  );
}

const LostKeyDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <Dialog
    isOpen
    onClose={onClose}
    title={`“${name}” was created, but not received`}
    footer={
      <Button kind="primary" onPress={onClose}>
        Close
      </Button>
    }
  >
    <InlineNotice tone="warning" live>
      The connection was interrupted before the key arrived here, and it cannot be shown again. Revoke it in the list
      and create another one.
    </InlineNotice>
  </Dialog>
);
