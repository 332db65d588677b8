import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { Json } from "../../api/tools.ts";
import { useTool } from "../../change/use-change.tsx";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import type { Sent } from "./sent-dialog.tsx";

type Props = {
  email: string;
  tool: "invite_member" | "invite_person";
  args: Json;
  /** Shows the link. Not by the button itself: the invitation in whose row it is ends, and the row with it. */
  onSent: (sent: Sent) => void;
};

/** Invites a person once more with the same rights: the link from before ends. */
export function NewLinkButton({ email, tool, args, onSent }: Props) {
  const run = useTool();
  const [isPending, setPending] = useState(false);
  const create = async () => {
    setPending(true);
    try {
      const result = await run({ tool, args, reason: `New invitation link for ${email}` });
      onSent({ email, link: result.link as string | undefined, mailed: result.mailed === true });
    } catch (error) {
      showToast(`The link was not created. ${messageOf(error)}`, { tone: "danger" });
    }
    setPending(false);
  };
  return (
    <Button size="small" isPending={isPending} onPress={() => create()}>
      New link<span className="visually-hidden"> for {email}; the one before stops working</span>
    </Button>
  );
}
