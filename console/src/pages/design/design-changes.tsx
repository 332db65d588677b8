import { useChange } from "../../change/use-change.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import styles from "./design.module.css";

const args = {
  start_time: "2026-12-08T19:00:00Z",
  venue: "Terrace",
  capacity: 320,
  description:
    "An evening for everyone who builds with agents: two short talks, then food and live music on the terrace until eleven.",
};

/** The mock carries out tools by these names; see dev/mock-api.ts. */
export function DesignChanges() {
  const change = useChange();
  const open = (tool: string) =>
    change.open({
      tool,
      args,
      title: "Move Opening night",
      reason: "Moved to the terrace because more guests registered",
      confirmLabel: "Move event",
      done: "Event moved",
      scope: { organization: "o1" },
      undo: ({ current }) => ({ tool: "change", args: current }),
    });
  return (
    <Section title="Change dialog">
      <div className={styles.row}>
        {["change", "warn", "conflict", "nothing", "fail"].map((tool) => (
          <Button key={tool} onPress={() => void open(tool)}>
            {`Open: ${tool}`}
          </Button>
        ))}
      </div>
    </Section>
  );
}
