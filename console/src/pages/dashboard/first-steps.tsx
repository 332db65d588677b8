import { useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { FirstSteps as Done } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ProposeButton } from "../events/proposals.tsx";
import styles from "./first-steps.module.css";

type Step = {
  name: keyof Done;
  title: string;
  why: string;
  action: string;
  path: string;
  search?: Record<string, unknown>;
};

const steps: Step[] = [
  {
    name: "events",
    title: "Host an event",
    why: "An administrator of the platform makes your organization the host of its first one. You can propose more yourself.",
    action: "Open events",
    path: "events",
  },
  {
    name: "logo",
    title: "Add your logo",
    why: "New posters carry it.",
    action: "Add logo",
    path: "settings",
  },
  {
    name: "colleague",
    title: "Invite a colleague",
    why: "Members see guests and check them in; admins also change events.",
    action: "Invite person",
    path: "settings/members",
    search: { invite: true },
  },
];

/** What the owner of a new organization does first. It goes when all is done, or when somebody closes it on this device. */
export function FirstSteps({ organization, steps: done }: { organization: Organization; steps: Done | undefined }) {
  const key = `first-steps-closed:${organization.id}`;
  const [isClosed, setClosed] = useState(() => localStorage.getItem(key) !== null);
  if (isClosed || done === undefined || !roleAtLeast(organization.role, "owner")) return null;
  if (steps.every(({ name }) => done[name])) return null;
  const close = () => {
    localStorage.setItem(key, "true");
    setClosed(true);
  };
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <header className="flex centered between gap-2">
        <h2 id="first-steps" className="large">
          First steps
        </h2>
        <IconButton icon="close" label="Close the first steps" size="small" onPress={close} />
      </header>
      <ol className="column">
        {steps.map((step) => (
          <StepLine key={step.name} step={step} isDone={done[step.name]} organization={organization} />
        ))}
      </ol>
    </section>
  );
}

type LineProps = { step: Step; isDone: boolean; organization: Organization };

function StepLine({ step, isDone, organization }: LineProps) {
  const place: string = `/o/${organization.slug}/${step.path}`;
  return (
    <li className={styles.step}>
      <Icon name={isDone ? "check-circle" : "circle"} className={isDone ? "success" : "muted"} />
      <div className="column shrinks">
        <span className={isDone ? "muted" : "medium"}>
          {step.title}
          {isDone && <span className="visually-hidden">, done</span>}
        </span>
        {!isDone && <span className="small muted">{step.why}</span>}
      </div>
      {isDone && step.name === "events" && <ProposeButton organization={organization} />}
      {!isDone && (
        <ButtonLink to={place} search={(step.search ?? {}) as never} size="small">
          {step.action}
        </ButtonLink>
      )}
    </li>
  );
}
