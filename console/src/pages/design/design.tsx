import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { setTheme } from "../../shell/theme.ts";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import styles from "./design.module.css";
import { DesignChanges } from "./design-changes.tsx";
import { DesignControls } from "./design-controls.tsx";
import { DesignDisplay } from "./design-display.tsx";
import { DesignTables } from "./design-tables.tsx";

/** All components in their states, to look at while working on them. Only in development. */
export function DesignPage() {
  usePageTitle("Design");
  const { person } = useSession();
  const [dark, setDark] = useState(false);
  const toggle = () => {
    setTheme(dark ? "light" : "dark");
    setDark(!dark);
  };
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <PageHeader
        title="Design"
        eyebrow="Development"
        description="Every component in its states. Calm by default; posters are the only loud thing on a page."
        actions={<Button onPress={toggle}>{dark ? "Use light" : "Use dark"}</Button>}
      />
      <DesignControls />
      <DesignDisplay />
      <DesignTables />
      {person !== null && <DesignChanges />}
    </main>
  );
}
