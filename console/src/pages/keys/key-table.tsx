import type { ApiKey } from "../../../../contract/console/organization.ts";
import { useChange } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { formatRelative, localZone } from "../../format/times.ts";
import { Status } from "../../ui/badge.tsx";
import { Link } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import styles from "./keys.module.css";
import { ScopeNames } from "./scope-list.tsx";

type Props = { keys: ApiKey[]; isOwner: boolean; onRotate: (key: ApiKey) => void };

/** Keys that work. */
export function KeyTable({ keys, isOwner, onRotate }: Props) {
  const columns: Column<ApiKey>[] = [
    { title: "Key", cell: (key) => <KeyName apiKey={key} /> },
    { title: "Scopes", cell: ({ scopes }) => <ScopeNames scopes={scopes} /> },
    { title: "Created", cell: (key) => <Creation apiKey={key} /> },
    { title: "Last used", cell: (key) => <LastUse apiKey={key} /> },
    { title: "Expires", cell: (key) => <TimeLeft apiKey={key} /> },
    ...(isOwner
      ? [
          {
            title: "Actions",
            hideTitle: true,
            corner: true,
            align: "end",
            cell: (key) => <KeyActions apiKey={key} onRotate={onRotate} />,
          } satisfies Column<ApiKey>,
        ]
      : []),
  ];
  return <Table caption="API keys that work" columns={columns} rows={keys} rowKey={({ id }) => id} cards />;
}

export function EndedKeys({ keys }: { keys: ApiKey[] }) {
  const columns: Column<ApiKey>[] = [
    { title: "Key", cell: (key) => <KeyName apiKey={key} /> },
    { title: "Scopes", cell: ({ scopes }) => <ScopeNames scopes={scopes} /> },
    { title: "Created", cell: (key) => <Creation apiKey={key} /> },
    { title: "Last used", cell: (key) => <LastUse apiKey={key} /> },
    { title: "State", cell: (key) => <EndState apiKey={key} /> },
  ];
  return <Table caption="API keys that ended" columns={columns} rows={keys} rowKey={({ id }) => id} cards />;
}

const KeyName = ({ apiKey }: { apiKey: ApiKey }) => (
  <span className={styles.name}>
    <Link
      to="/o/$organization/settings/keys/$key"
      params={(before) => ({ ...before, organization: before.organization ?? "", key: apiKey.id })}
    >
      <bdi>{apiKey.name}</bdi>
    </Link>
    <code className="faint tiny">{apiKey.prefix}…</code>
  </span>
);

const Creation = ({ apiKey: { created_at, created_by } }: { apiKey: ApiKey }) => (
  <span className={styles.stacked}>
    <Time at={created_at} zone={localZone()} show="day" />
    <span className="faint small" title={created_by.email}>
      <bdi>{created_by.name}</bdi>
    </span>
  </span>
);

export const LastUse = ({ apiKey: { last_used_at } }: { apiKey: ApiKey }) =>
  last_used_at === null ? (
    <span className="faint small">Never</span>
  ) : (
    <span className="nowrap">
      <RelativeTime at={last_used_at} />
    </span>
  );

export function TimeLeft({ apiKey: { days_left, expires_at, expires_soon, replaced_at } }: { apiKey: ApiKey }) {
  const zone = localZone();
  if (replaced_at !== null) {
    return (
      <Status icon="refresh">
        <span>
          Replaced, ends <RelativeTime at={expires_at} />
        </span>
      </Status>
    );
  }
  const words = countOf(days_left ?? 0, "day");
  return (
    <span className={styles.stacked}>
      {expires_soon ? <Status tone="warning">{words}</Status> : words}
      <span className="faint small">
        until <Time at={expires_at} zone={zone} show="day" />
      </span>
    </span>
  );
}

const endWords = {
  revoked: { tone: "danger", text: "Revoked", at: (key: ApiKey) => key.revoked_at },
  expired: { tone: "neutral", text: "Expired", at: (key: ApiKey) => key.expires_at },
  inactive: { tone: "warning", text: "Inactive: its creator left", at: () => null },
} as const;

export function EndState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.state === "active") return null;
  const { tone, text, at } = endWords[apiKey.state];
  const time = at(apiKey);
  return (
    <span className={styles.stacked}>
      <Status tone={tone} {...(apiKey.state === "expired" ? { icon: "clock" as const } : {})}>
        {text}
      </Status>
      {time !== null && (
        <span className="faint small">
          <Time at={time} zone={localZone()} show="day" />
        </span>
      )}
    </span>
  );
}

function KeyActions({ apiKey, onRotate }: { apiKey: ApiKey; onRotate: (key: ApiKey) => void }) {
  const revoke = useRevoke();
  return (
    <Menu label={`Actions for ${apiKey.name}`}>
      {apiKey.replaced_at === null && (
        <MenuItem
          icon="refresh"
          label="Rotate key"
          hint="Replace it with a new one"
          onAction={() => onRotate(apiKey)}
        />
      )}
      <MenuItem icon="x-circle" label="Revoke key" danger onAction={() => revoke(apiKey)} />
    </Menu>
  );
}

/** Says who is cut off before it happens. */
export function useRevoke() {
  const change = useChange();
  return (apiKey: Pick<ApiKey, "id" | "name" | "prefix" | "last_used_at">) => {
    const use =
      apiKey.last_used_at === null
        ? "It was never used."
        : `It was last used ${formatRelative(apiKey.last_used_at)}: whatever uses it stops working.`;
    return change.open({
      tool: "revoke_api_key",
      args: { key_id: apiKey.id },
      title: `Revoke “${apiKey.name}”`,
      reason: `Revoked the key ${apiKey.name} (${apiKey.prefix}…)`,
      confirmLabel: "Revoke key",
      danger: true,
      describe: () => (
        <p>
          The key <code>{apiKey.prefix}…</code> is refused from the next request on, and cannot be restored. {use}
        </p>
      ),
      done: `“${apiKey.name}” is revoked`,
    });
  };
}
