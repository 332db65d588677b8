import { useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Checkbox, CheckboxGroup } from "../../ui/checkbox.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { AlertDialog, Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import styles from "./design.module.css";

const scopes = [
  { value: "org:read", label: "Read", hint: "See events, guests and posters" },
  { value: "events:write", label: "Change events", hint: "Move sessions, edit speakers" },
  { value: "marketing:write", label: "Post", hint: "Report where a poster was posted" },
];

export function DesignControls() {
  return (
    <>
      <Section title="Buttons">
        <div className={styles.row}>
          <Button kind="primary">Create key</Button>
          <Button>Save draft</Button>
          <Button kind="danger" icon="trash">
            Revoke key
          </Button>
          <Button kind="quiet">Cancel</Button>
          <Button kind="primary" isPending>
            Publish poster
          </Button>
          <Button isDisabled>Not now</Button>
          <Button size="small" icon="plus">
            Add speaker
          </Button>
          <ButtonLink to="/" kind="secondary" icon="arrow-left">
            Back
          </ButtonLink>
          <IconButton icon="more" label="More actions" />
          <IconButton icon="copy" label="Copy link" size="small" />
          <Link to="/">A link</Link>
          <ExternalLink href="https://example.org">Elsewhere</ExternalLink>
        </div>
      </Section>
      <Fields />
      <Overlays />
    </>
  );
}

function Fields() {
  const [text, setText] = useState("Autumn agent");
  const [scope, setScope] = useState<string | null>("org:read");
  const [speaker, setSpeaker] = useState<string | null>(null);
  const [chosen, setChosen] = useState(["org:read"]);
  const [days, setDays] = useState<"30" | "90" | null>("30");
  return (
    <Section title="Fields">
      <div className={styles.grid}>
        <TextField label="Name" value={text} onChange={setText} description="How you recognize it later." />
        <TextField
          label="E-mail"
          type="email"
          defaultValue="ines@"
          error="Expected an address such as ines@example.org."
        />
        <TextField label="Website" optional placeholder="https://" />
        <TextField label="Key" mono defaultValue="svc_live_7Kq2…" isReadOnly />
        <NumberField label="Capacity" defaultValue={240} minValue={0} />
        <Select label="Scope" options={scopes} value={scope} onChange={setScope} />
        <ComboBox label="Speaker" options={scopes} value={speaker} onChange={setSpeaker} placeholder="Type a name" />
        <TextArea label="Description" defaultValue="Three short talks, then food and music." />
        <CheckboxGroup label="Scopes" value={chosen} onChange={setChosen} description="What the agent may do.">
          {scopes.map(({ value, label, hint }) => (
            <Checkbox key={value} value={value} hint={hint}>
              {label}
            </Checkbox>
          ))}
        </CheckboxGroup>
        <RadioGroup
          label="Lifetime"
          value={days}
          onChange={setDays}
          options={[
            { value: "30", label: "30 days" },
            { value: "90", label: "90 days", hint: "The longest there is" },
          ]}
        />
        <div className={styles.stack}>
          <Switch defaultSelected>Sound on check-in</Switch>
          <Switch hint="Where the device can">Vibration</Switch>
          <Checkbox isDisabled>Not available</Checkbox>
        </div>
        <SearchField label="Search guests" />
      </div>
    </Section>
  );
}

function Overlays() {
  const [open, setOpen] = useState<"dialog" | "alert">();
  const close = () => setOpen(undefined);
  return (
    <Section title="Overlays">
      <div className={styles.row}>
        <Button onPress={() => setOpen("dialog")}>Open dialog</Button>
        <Button onPress={() => setOpen("alert")}>Open alert</Button>
        <Menu label="Actions" trigger={<Button icon="more">Open menu</Button>} placement="bottom start">
          <MenuItem icon="edit" label="Edit" keys="E" onAction={() => {}} />
          <MenuItem icon="copy" label="Copy link" onAction={() => {}} />
          <MenuSeparator />
          <MenuItem icon="trash" label="Remove" danger onAction={() => {}} />
        </Menu>
        <Popover label="Filters" trigger={<Button icon="filter">Open popover</Button>}>
          <Switch>Only pending</Switch>
        </Popover>
        <Button onPress={() => showToast("Session moved", { action: { label: "Undo", run: () => {} } })}>
          Show toast
        </Button>
      </div>
      <Dialog
        isOpen={open === "dialog"}
        onClose={close}
        title="Invite somebody"
        description="They get a link that works once and expires after a week."
        footer={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button kind="primary" onPress={close}>
              Send invitation
            </Button>
          </>
        }
      >
        <TextField label="E-mail" type="email" />
        <Select label="Role" options={scopes} value="org:read" onChange={() => {}} />
      </Dialog>
      <AlertDialog
        isOpen={open === "alert"}
        onClose={close}
        onConfirm={close}
        title="Leave without saving?"
        description="What you wrote is lost."
        confirmLabel="Leave"
        danger
      />
    </Section>
  );
}
