import { randomUUID } from "node:crypto";
import { z } from "zod";
import { maximumDoorLinks } from "../../../contract/door-links.js";
import { ServiceError } from "../../../contract/errors.js";
import { line, uuid } from "../../../contract/schema/fields.js";
import { defineEventMutation } from "../../runner/mutation.js";
import { createDoorSecrets } from "./secrets.js";
import {
  countDoorLinks,
  findDoorLink,
  getDoorEnd,
  insertDoorLink,
  revokeDoorLinkById,
  type ShownDoorLink,
} from "./store.js";

type Creation = {
  door_links: number;
  /** It follows the end of the event. */
  ends_at: string;
  door_link: (Omit<ShownDoorLink, "id"> & { id: string | null }) | null;
};

export const createDoorLink = defineEventMutation({
  name: "create_door_link",
  title: "Create a door link",
  group: "registrations",
  description:
    "Make a link with which volunteers without an account check guests of the event in, with a PIN. Both are returned once.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: false,
  input: z.object({ name: line(100) }),
  prepare: async () => ({ id: randomUUID() as string }),
  async read({ tx, caller, event }, _input, { id }): Promise<Creation> {
    const door = { eventId: event.id, organizationId: caller.organizationId };
    const { ends_at, isOver } = await getDoorEnd(tx, event.id);
    if (isOver) throw new ServiceError("conflict", "The event is over. Nothing was changed");
    return {
      door_links: await countDoorLinks(tx, door),
      ends_at,
      door_link: (await findDoorLink(tx, door, id)) ?? null,
    };
  },
  propose(current, { name }) {
    if (current.door_links >= maximumDoorLinks) {
      throw new ServiceError(
        "conflict",
        `An event has at most ${maximumDoorLinks} door links of an organization. Nothing was changed. Revoke one first`,
      );
    }
    return { ...current, door_links: current.door_links + 1, door_link: { id: null, name, state: "open" as const } };
  },
  basis: ({ ends_at }) => ({ ends_at }),
  async store({ tx, caller, event, baseUrl, reveal }, { input, prepared }) {
    const secrets = createDoorSecrets();
    const { organizationId, userId: createdBy } = caller;
    await insertDoorLink(tx, { ...prepared, ...input, eventId: event.id, organizationId, createdBy, secrets });
    // In the fragment, which browsers send to nobody: no log has it.
    reveal({ link: `${baseUrl}/door#${secrets.token}`, pin: secrets.pin });
  },
});

export const revokeDoorLink = defineEventMutation({
  name: "revoke_door_link",
  title: "Revoke a door link",
  group: "registrations",
  description: "Revoke a door link: the devices on which it was opened are rejected from the next request on.",
  scope: "registrations:write",
  role: "admin",
  event: "host_or_co_host",
  destructive: true,
  input: z.object({ door_link_id: uuid }),
  async read({ tx, caller, event }, { door_link_id: id }): Promise<{ door_link: ShownDoorLink }> {
    const door_link = await findDoorLink(tx, { eventId: event.id, organizationId: caller.organizationId }, id);
    if (door_link === undefined)
      throw new ServiceError("not_found", "This event has no such door link of your organization");
    return { door_link };
  },
  propose: ({ door_link }) => ({ door_link: { ...door_link, state: "revoked" as const } }),
  store: ({ tx }, { input }) => revokeDoorLinkById(tx, input.door_link_id),
});
