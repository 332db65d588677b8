import { scopes as allScopes } from "../../../../contract/scopes.ts";
import { useOrganization } from "../../api/session.ts";
import { useChange } from "../../change/use-change.tsx";
import { formatRelative, localZone } from "../../format/times.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Status } from "../../ui/badge.tsx";
import { Link } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { scopeWords } from "../keys/key-data.ts";
import type { ConnectedApp } from "./app-data.ts";
import styles from "./apps.module.css";

type Props = { apps: ConnectedApp[]; mayDisconnect: (app: ConnectedApp) => boolean };

/** Apps that work. */
export function AppTable({ apps, mayDisconnect }: Props) {
  const columns: Column<ConnectedApp>[] = [
    ...sharedColumns,
    { title: "Last used", cell: (app) => <LastUse app={app} /> },
    {
      title: "Actions",
      hideTitle: true,
      corner: true,
      align: "end",
      cell: (app) => mayDisconnect(app) && <AppActions app={app} />,
    },
  ];
  return <Table caption="Apps that are connected" columns={columns} rows={apps} rowKey={({ id }) => id} cards />;
}

export function EndedApps({ apps }: { apps: ConnectedApp[] }) {
  const columns: Column<ConnectedApp>[] = [...sharedColumns, { title: "State", cell: (app) => <EndState app={app} /> }];
  return <Table caption="Apps that were disconnected" columns={columns} rows={apps} rowKey={({ id }) => id} cards />;
}

const sharedColumns: Column<ConnectedApp>[] = [
  { title: "App", cell: (app) => <AppName app={app} /> },
  { title: "Acts for", cell: (app) => <Person app={app} /> },
  { title: "It may", cell: (app) => <Access app={app} /> },
  { title: "Connected", cell: ({ connected_at }) => <Time at={connected_at} zone={localZone()} show="day" /> },
];

const AppName = ({ app: { name, client_id } }: { app: ConnectedApp }) => {
  const host = URL.canParse(client_id) ? new URL(client_id).host : undefined;
  return (
    <span className={styles.app}>
      <Avatar name={name} square />
      <span className={styles.stacked}>
        <bdi>{name}</bdi>
        {host !== undefined && <span className="faint small regular">{host}</span>}
      </span>
    </span>
  );
};

/** With what the app changed in the person's name. */
function Person({ app }: { app: ConnectedApp }) {
  const { slug } = useOrganization();
  const { name, email } = app.connected_by;
  return (
    <span className={styles.stacked}>
      <bdi title={email}>{name}</bdi>
      <Link
        to="/o/$organization/activity"
        params={{ organization: slug }}
        search={{ app: app.id }}
        className="small"
        aria-label={`What ${app.name} changed for ${name}`}
      >
        Changes
      </Link>
    </span>
  );
}

function Access({ app: { scopes } }: { app: ConnectedApp }) {
  const titles = scopes.map((scope) => scopeWords[scope].title).join(", ");
  return (
    <span className={styles.access} title={scopes.join(" ")}>
      {scopes.length === allScopes.length ? `Everything: ${titles.toLowerCase()}` : titles}
    </span>
  );
}

const LastUse = ({ app: { last_used_at } }: { app: ConnectedApp }) =>
  last_used_at === null ? (
    <span className="faint small regular">Never</span>
  ) : (
    <span className="nowrap">
      <RelativeTime at={last_used_at} />
    </span>
  );

function EndState({ app: { state, ended_at } }: { app: ConnectedApp }) {
  if (state === "inactive") return <Status tone="warning">Inactive: its person left</Status>;
  return (
    <span className={styles.stacked}>
      <Status>Disconnected</Status>
      {ended_at !== null && (
        <span className="faint small regular">
          <Time at={ended_at} zone={localZone()} show="day" />
        </span>
      )}
    </span>
  );
}

function AppActions({ app }: { app: ConnectedApp }) {
  const disconnect = useDisconnect();
  return (
    <Menu label={`Actions for ${app.name}`}>
      <MenuItem icon="x-circle" label="Disconnect app" danger onAction={() => disconnect(app)} />
    </Menu>
  );
}

/** Says who is cut off before it happens. */
function useDisconnect() {
  const change = useChange();
  return ({ id, name, connected_by, last_used_at }: ConnectedApp) => {
    const use = last_used_at === null ? "It was never used." : `It was last used ${formatRelative(last_used_at)}.`;
    return change.open({
      tool: "disconnect_app",
      args: { app_id: id },
      title: `Disconnect “${name}”`,
      reason: `Disconnected the app ${name} of ${connected_by.name}`,
      confirmLabel: "Disconnect app",
      danger: true,
      describe: () => (
        <p>
          It can no longer act for <bdi>{connected_by.name}</bdi>, from the next request on. {use} To use it again, the
          person connects it anew in the app.
        </p>
      ),
      done: `“${name}” is disconnected`,
    });
  };
}
