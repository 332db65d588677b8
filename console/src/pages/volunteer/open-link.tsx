import { useState } from "react";
import { pinDigits } from "../../../../contract/door-links.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { openLink } from "./opened-link.ts";

export function OpenLink({ token, onOpened }: { token: string; onOpened: () => void }) {
  const [pin, setPin] = useState("");
  const { submit, isPending, errorAt } = useSubmit();
  const open = async () => {
    await openLink(token, pin);
    onOpened();
  };
  return (
    <SignInFrame title="Check guests in" description="Enter the PIN that came with the link. You need no account.">
      <Form label="Door link" onSubmit={() => void submit(open)}>
        <ProblemNotice text={errorAt(undefined)} />
        <TextField
          label="PIN"
          description={`${pinDigits} digits`}
          value={pin}
          onChange={setPin}
          error={errorAt("pin")}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          isRequired
        />
        <Button kind="primary" type="submit" isPending={isPending}>
          Open the door
        </Button>
      </Form>
    </SignInFrame>
  );
}
