import { useState } from "react";
import type { PlatformKey } from "../../../../contract/console/admin.ts";
import { useChange } from "../../change/use-change.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { useRows } from "./admin-api.ts";
import type { CardColumn } from "./card-table.tsx";
import { lazyForm } from "./lazy-form.tsx";
import styles from "./row-list.module.css";
import { RowList } from "./row-list.tsx";

const PlatformKeyForm = lazyForm(async () => (await import("./platform-key-form.tsx")).PlatformKeyForm);
const KeyExpiryForm = lazyForm(async () => (await import("./key-expiry-form.tsx")).KeyExpiryForm);

const columns: CardColumn<PlatformKey>[] = [
  {
    title: "Key",
    width: "70%",
    cell: ({ name, prefix }) => (
      <>
        {name}
        <span className={styles.second}>
          <code>{prefix}…</code>
        </span>
      </>
    ),
  },
  {
    title: "Sees",
    cell: ({ conference_id, conference }) =>
      conference_id === null ? (
        "Everything"
      ) : (
        <Link quiet to="/admin/conferences/$id" params={{ id: conference_id }}>
          {conference}
        </Link>
      ),
  },
  { title: "State", cell: (key) => <KeyState platformKey={key} /> },
  {
    title: "Last used",
    isShort: true,
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={styles.second}>Never</span> : <RelativeTime at={at} />,
  },
  {
    title: "Created",
    isShort: true,
    cell: ({ created_at, created_by }) => (
      <>
        <RelativeTime at={created_at} />
        {created_by !== null && <span className={styles.second}>by {created_by}</span>}
      </>
    ),
  },
  { title: "Actions", isActions: true, cell: (key) => <KeyMenu platformKey={key} /> },
];

export function PlatformKeysPage() {
  usePageTitle("Platform keys");
  const [creating, setCreating] = useState(false);
  const list = useRows("keys");
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Platform keys"
        description="Keys that see everything or one conference. Organizations manage their own keys."
        actions={create}
      />
      <RowList
        list={list}
        caption="Platform keys, newest first"
        columns={columns}
        empty={
          <EmptyState icon="key" title="There is no platform key yet" action={create}>
            A posting agent for a whole conference needs a conference key.
          </EmptyState>
        }
      />
      {creating && <PlatformKeyForm onClose={() => setCreating(false)} />}
    </>
  );
}

function KeyState({ platformKey: { state, expires_at, expires_soon } }: { platformKey: PlatformKey }) {
  if (state === "revoked") return <Status tone="danger">Revoked</Status>;
  if (state !== "active") return <Status tone="danger">Expired</Status>;
  if (expires_at === null) return <Status tone="success">Active</Status>;
  return (
    <>
      <Status tone={expires_soon ? "warning" : "success"}>{expires_soon ? "Expires soon" : "Active"}</Status>
      <span className={styles.second}>
        expires <RelativeTime at={expires_at} />
      </span>
    </>
  );
}

function KeyMenu({ platformKey }: { platformKey: PlatformKey }) {
  const change = useChange();
  const [isChanging, setChanging] = useState(false);
  const { id, name, state } = platformKey;
  if (state === "revoked") return null;
  const revoke = () =>
    void change.open({
      tool: "revoke_platform_key",
      args: { key_id: id },
      title: `Revoke ${name}`,
      danger: true,
      reason: `Revoked the key ${name}`,
      confirmLabel: "Revoke key",
      done: `${name} was revoked`,
      warnings: ["Whoever uses this key is refused from the next request on. This cannot be undone."],
    });
  return (
    <>
      <Menu label={`Actions for ${name}`}>
        <MenuItem
          icon="clock"
          label="Change expiry"
          hint={state === "active" ? "Let it work longer or shorter" : "A key that has expired never works again"}
          isDisabled={state !== "active"}
          onAction={() => setChanging(true)}
        />
        <MenuItem icon="x-circle" label="Revoke key" danger onAction={revoke} />
      </Menu>
      {isChanging && <KeyExpiryForm platformKey={platformKey} onClose={() => setChanging(false)} />}
    </>
  );
}
