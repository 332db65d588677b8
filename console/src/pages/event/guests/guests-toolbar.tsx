import { Suspense } from "react";
import { useOrganization } from "../../../api/session.ts";
import { useOpenedByAddress } from "../../../shell/opened-by-address.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { exportAddress, type GuestFilter } from "./guests-api.ts";

const DoorLinks = lazyPart(() => import("../door-links/door-links.tsx"), "DoorLinks");

type Props = { event: string; filter: GuestFilter; canChange: boolean; onAdd: () => void };

export function GuestsToolbar({ event, filter, canChange, onAdd }: Props) {
  const organization = useOrganization();
  const [links, setLinks] = useOpenedByAddress("door-links");
  const base = `/o/${organization.slug}/events/${event}`;
  const isFiltered = filter.state !== "all" || filter.query.trim() !== "";
  return (
    <div className="flex wrap centered gap-2">
      {canChange && (
        <Button kind="primary" icon="plus" onPress={onAdd}>
          Add guest
        </Button>
      )}
      <Menu label="More">
        <MenuItem
          icon="download"
          label={isFiltered ? "Export what is shown" : "Export all guests"}
          hint="CSV, for a spreadsheet"
          onAction={() => download(exportAddress(organization.id, event, filter))}
        />
        {canChange && (
          <MenuItem
            icon="link"
            label="Door links"
            hint="For volunteers without an account"
            onAction={() => setLinks("true")}
          />
        )}
        <MenuItem icon="qr" label="Print guest codes" hint="Of all approved guests" href={`${base}/guests/print`} />
      </Menu>
      <Suspense>
        {canChange && links !== undefined && (
          <DoorLinks organization={organization} event={event} onClose={() => setLinks(undefined)} />
        )}
      </Suspense>
    </div>
  );
}

/** The response has a file name, so the page stays where it is. */
function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
