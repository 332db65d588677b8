import { z } from "zod";
import { uuid } from "../../../../contract/schema/fields.js";
import { memberRemoval } from "../member-removal.js";

export const removeMember = memberRemoval({
  name: "remove_member",
  title: "Remove a member",
  description:
    "Remove a person from the organization. Keys that act for the person are revoked, and open invitations and offers of events by the person withdrawn.",
  role: "owner",
  input: z.object({ user_id: uuid }),
  userOf: (_caller, { user_id }) => user_id,
});
