import { useState } from "react";
import type { ConnectDecision, ConnectRequest } from "../../../../contract/console/account.ts";
import type { Scope } from "../../../../contract/scopes.ts";
import { messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { signOut, usePerson } from "../../api/session.ts";
import { articled, roleLabel } from "../../format/roles.ts";
import { Button } from "../../ui/button.tsx";
import { Email } from "../../ui/email.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./connect.module.css";
import type { Decided } from "./decided-notice.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

type Props = {
  uid: string;
  request: ConnectRequest;
  onDecided: (decided: Decided) => void;
  /** The decision was refused: the request may have changed or ended. */
  onFailed: () => void;
};

type Organization = ConnectRequest["organizations"][number];

/** More than these are chosen from a list that opens. */
const mostRadios = 5;

/** No key submits it: people press the button of what they decide. */
export function ConsentForm({ uid, request, onDecided, onFailed }: Props) {
  const { app, organizations, scopes: requested } = request;
  const [organization, setOrganization] = useState(organizations.length === 1 ? organizations[0] : undefined);
  const [refused, setRefused] = useState<Scope[]>([]);
  const [isAsking, setAsking] = useState(false);
  const { decide, pending, problem } = useDecision({ uid, onDecided, onFailed });
  const usable = requested.filter((scope) => organization?.scopes.includes(scope) ?? true);
  const scopes = usable.filter((scope) => !refused.includes(scope));

  const connect = () => {
    setAsking(true);
    if (organization === undefined || scopes.length === 0) return;
    const decision = { decision: "allow" as const, organization: organization.id, scopes, app_name: app.name };
    void decide(decision, { organization });
  };
  const deny = () => void decide({ decision: "deny" }, "denied");
  return (
    <>
      <Facts request={request} />
      {organizations.length > 1 && (
        <OrganizationChoice
          organizations={organizations}
          chosen={organization}
          onChange={setOrganization}
          error={isAsking && organization === undefined ? "Choose the organization that it acts for." : undefined}
        />
      )}
      {organizations.length === 0 ? (
        <InlineNotice title="You are not a member of an organization">
          An app acts for an organization. Ask an owner to invite you to theirs, and start again in the app.
        </InlineNotice>
      ) : (
        <ScopeChoice
          requested={requested}
          organization={organization}
          chosen={scopes}
          onChange={(next) => setRefused(usable.filter((scope) => !next.includes(scope)))}
          error={isAsking && usable.length > 0 && scopes.length === 0 ? "Allow at least one, or deny." : undefined}
        />
      )}
      {problem !== undefined && (
        <InlineNotice tone="danger" live>
          {problem}
        </InlineNotice>
      )}
      <div className={styles.buttons}>
        {usable.length > 0 && organizations.length > 0 && (
          <Button kind="primary" isPending={pending === "allow"} onPress={connect}>
            <span>
              Connect <bdi className={styles.short}>{app.name}</bdi>
            </span>
          </Button>
        )}
        <Button isPending={pending === "deny"} onPress={deny}>
          Deny
        </Button>
      </div>
      <p className="muted small">
        Your role limits what it can do. What it changes is recorded with your name and its own, and you can disconnect
        it at any time.
      </p>
    </>
  );
}

/** For whom it would act, and where the browser goes next. */
function Facts({ request: { app, organizations } }: { request: ConnectRequest }) {
  const { name, email } = usePerson();
  const [only, ...others] = organizations;
  return (
    <dl className={styles.facts}>
      <dt>Acts for you</dt>
      <dd className="flex centered between gap-2">
        <span className="column shrinks">
          <bdi>{name}</bdi>
          <span className="muted small">
            <Email address={email} />
          </span>
        </span>
        <Button size="small" kind="quiet" onPress={() => void signOut().then(() => window.location.reload())}>
          Not you?
        </Button>
      </dd>
      {only !== undefined && others.length === 0 && (
        <>
          <dt>At</dt>
          <dd className="column shrinks">
            <bdi>{only.name}</bdi>
            <span className="muted small">You are {articled(only.role)} there</span>
          </dd>
        </>
      )}
      <dt>Returns to</dt>
      <dd>{returnWords(app.returns_to)}</dd>
    </dl>
  );
}

/** Where the browser goes with the decision, and the app's access with it. */
function returnWords({ kind, name }: ConnectRequest["app"]["returns_to"]): string {
  if (kind === "computer") return `An app on this computer, at ${name}`;
  if (kind === "app") return `The app on this device that opens ${name}: links`;
  return name;
}

type ChoiceProps = {
  organizations: Organization[];
  chosen: Organization | undefined;
  onChange: (organization: Organization | undefined) => void;
  error: string | undefined;
};

function OrganizationChoice({ organizations, chosen, onChange, error }: ChoiceProps) {
  const Field = organizations.length > mostRadios ? Select : RadioGroup;
  return (
    <Field
      label="At which organization?"
      options={organizations.map(({ id, name, role }) => ({ value: id, label: name, hint: roleLabel(role) }))}
      value={chosen?.id ?? null}
      onChange={(id) => onChange(organizations.find((each) => each.id === id))}
      error={error}
    />
  );
}

function useDecision({ uid, onDecided, onFailed }: Pick<Props, "uid" | "onDecided" | "onFailed">) {
  const [pending, setPending] = useState<ConnectDecision["decision"]>();
  const [problem, setProblem] = useState<string>();
  const decide = async (body: ConnectDecision, decided: Decided) => {
    if (pending !== undefined) return;
    setPending(body.decision);
    setProblem(undefined);
    try {
      const { redirect_to } = await call("decideConnectRequest", { uid, body });
      onDecided(decided);
      window.location.assign(redirect_to);
    } catch (error) {
      setPending(undefined);
      setProblem(messageOf(error));
      onFailed();
    }
  };
  return { decide, pending, problem };
}
