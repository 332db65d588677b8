import { z } from "zod";
import { memberRemoval } from "../member-removal.js";

export const leaveOrganization = memberRemoval({
  name: "leave_organization",
  title: "Leave the organization",
  description:
    "End the caller's own membership. Keys that act for the caller are revoked, and open invitations and offers of events by the caller withdrawn.",
  role: "member",
  input: z.object({}),
  userOf: ({ userId }) => userId,
});
