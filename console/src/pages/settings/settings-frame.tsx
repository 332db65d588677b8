import { Outlet } from "@tanstack/react-router";
import { useOrganization } from "../../api/session.ts";
import { settingsOf } from "../../shell/navigation.ts";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import styles from "./settings-frame.module.css";

/** Around each part of the settings: the way to the others. */
export function SettingsFrame() {
  const organization = useOrganization();
  return (
    <>
      <Tabs label="Settings">
        {settingsOf(organization).map(({ label, href, exact = false }) => (
          <Tab key={href} to={href} activeOptions={{ exact, includeSearch: false }}>
            {label}
          </Tab>
        ))}
      </Tabs>
      <div className={styles.panel}>
        <Outlet />
      </div>
    </>
  );
}
