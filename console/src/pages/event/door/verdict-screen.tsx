import { useEffect } from "react";
import { Dialog, Heading, Modal, ModalOverlay, Button as PlainButton } from "react-aria-components";
import { classes } from "../../../ui/classes.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { DoorGuest } from "./door-types.ts";
import { signal } from "./feedback.ts";
import { describeArrival, type Verdict } from "./verdict.ts";
import styles from "./verdict-screen.module.css";

type Props = {
  verdict: Verdict;
  zone: string;
  mayUndo: boolean;
  onNext: () => void;
  onUndo: (guest: DoorGuest) => void;
};

/** A welcome goes away by itself, because the next guest waits; not for people who ask for less motion. */
const welcomeMs = 2600;
const staysOpen = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const looks: Record<Verdict["kind"], { look: string | undefined; icon: IconName }> = {
  checking: { look: styles.checking, icon: "clock" },
  welcome: { look: styles.welcome, icon: "check" },
  duplicate: { look: styles.duplicate, icon: "alert" },
  refused: { look: styles.refused, icon: "close" },
};

/** The verdict on the whole screen: by colour, by a large shape, in words, by sound and by vibration. */
export function VerdictScreen({ verdict, zone, mayUndo, onNext, onUndo }: Props) {
  const { kind, guest } = verdict;
  useEffect(() => {
    if (kind !== "checking") signal(kind);
    if (kind !== "welcome" || staysOpen()) return;
    const timer = setTimeout(onNext, welcomeMs);
    return () => clearTimeout(timer);
  }, [kind, onNext]);
  const { look, icon } = looks[kind];
  const words = wordsOf(verdict, zone);
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen onOpenChange={(open) => !open && onNext()}>
      <Modal className={styles.modal ?? ""}>
        <Dialog role="alertdialog" className={classes(styles.screen, look)} aria-describedby="verdict-words">
          <span className={styles.shape}>
            <Icon name={icon} size={24} className={styles.icon ?? ""} />
          </span>
          <Heading slot="title" className={styles.title ?? ""}>
            {words.title}
          </Heading>
          <div id="verdict-words" className={styles.words}>
            {guest !== null && (
              <p className={styles.name} dir="auto">
                {guest.name}
              </p>
            )}
            {guest?.ticket_type && (
              <p className={styles.ticket} dir="auto">
                {guest.ticket_type}
              </p>
            )}
            <p className="large medium">{words.detail}</p>
          </div>
          <div className={styles.actions}>
            {guest !== null && mayUndo && (kind === "welcome" || kind === "duplicate") && (
              <PlainButton className={styles.undo ?? ""} onPress={() => onUndo(guest)}>
                {kind === "welcome" ? "Undo" : "Undo the check-in"}
              </PlainButton>
            )}
            {kind !== "checking" && (
              <PlainButton className={styles.next ?? ""} onPress={onNext} autoFocus>
                Next guest
              </PlainButton>
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function wordsOf(verdict: Verdict, zone: string): { title: string; detail: string } {
  switch (verdict.kind) {
    case "checking":
      return { title: "One moment", detail: "Checking the guest list…" };
    case "welcome":
      return {
        title: "Welcome",
        detail: verdict.isSent ? "Checked in" : "Checked in on this device, sent when there is a connection",
      };
    case "duplicate":
      return { title: "Already checked in", detail: describeArrival(verdict.arrival, zone) };
    case "refused":
      return { title: verdict.title, detail: verdict.message };
  }
}
