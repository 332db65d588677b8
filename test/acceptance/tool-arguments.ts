import type { EventFixture, StaffFixture } from "../support/event-fixture.js";
import { exampleInputs } from "../support/tool-examples.js";

type Fixture = EventFixture & Pick<StaffFixture, "recordId">;

/** Valid arguments of a tool of the MCP endpoint; those of a mutation change something. */
export function toolArguments(name: string, fixture: Fixture): Record<string, unknown> {
  const { eventId: event_id, registrationIds } = fixture;
  if (name === "get_organization_admin_snapshot" || name === "list_changes") return {};
  if (name === "get_event_registration_details") return { event_id, registration_id: registrationIds.pending };
  if (name.startsWith("get_") || name.startsWith("list_")) return { event_id };
  const example = exampleInputs[name];
  if (example === undefined) throw new Error(`no example of ${name}`);
  // The tools of people, which take the other fields, are not on the MCP endpoint.
  return example({ ...fixture, apiKeyId: "", memberId: "", invitationId: "" });
}
