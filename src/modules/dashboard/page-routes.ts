import type { recordFilters } from "../../../contract/console/records.js";
import { getHostedEvent } from "../../access/hosting.js";
import { organizationKeyJson, organizationKeysJson } from "../../access/organization-keys.js";
import {
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  consolePage,
  defineConsoleRoute,
} from "../../console-route.js";
import { exportRecords } from "../../records/record-export.js";
import { listedRecord, type RecordView, readRecordPage } from "../../records/record-page.js";
import type { FilterValues } from "../../schema/filters.js";
import { connectedAppsJson } from "../connected-apps/store.js";
import { readProposals } from "../events/proposal-store.js";
import { findHostCandidates, getEventPage } from "../events/store.js";
import { searchOrganization } from "../organizations/search-store.js";
import { listPeople } from "../organizations/store.js";
import { type Revertible, reasonNotToRevert } from "../records/rules.js";
import { getRecord, listPartsInEffect } from "../records/store.js";
import { getRunOfShow } from "../run-of-show/store.js";
import { listSpeakersOnStage } from "../speakers/store.js";
import { listOpenInvitations } from "../users/invitation-store.js";
import { membersJson } from "../users/store.js";

type Member = ContextOf<"member">;

/** What pages of an organization and of its events read in addition to the tools: whole texts, which a tool's result may shorten. */
export const pageRoutes: ConsoleRoute<unknown>[] = [
  defineConsoleRoute("search", {
    access: "member",
    handle: async ({ db, caller }, { query }) => consoleJson(await searchOrganization(db, caller, query.query)),
  }),
  defineConsoleRoute("members", {
    access: "member",
    async handle({ db, caller }) {
      const { organizationId, role } = caller;
      const invitations = role === "owner" ? await listOpenInvitations(db, organizationId) : null;
      return { body: await membersJson(db, organizationId, invitations) };
    },
  }),
  defineConsoleRoute("keys", {
    access: "member",
    handle: async ({ db, caller }) => ({ body: await organizationKeysJson(db, caller.organizationId) }),
  }),
  defineConsoleRoute("key", {
    access: "member",
    handle: async ({ db, caller }, { params }) => ({
      body: await organizationKeyJson(db, caller.organizationId, params.key),
    }),
  }),
  defineConsoleRoute("connectedApps", {
    access: "member",
    handle: async ({ db, caller }) => ({ body: await connectedAppsJson(db, caller.organizationId) }),
  }),
  defineConsoleRoute("event", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id, role } = await getHostedEvent(db, caller, params.event);
      const reader = { organizationId: caller.organizationId, role };
      return { body: await getEventPage(db, id, reader, baseUrl) };
    },
  }),
  defineConsoleRoute("proposals", {
    access: "member",
    handle: async ({ db, caller }) => consoleJson(await readProposals(db, caller)),
  }),
  defineConsoleRoute("hostCandidates", {
    access: "admin",
    handle: async ({ db, caller, baseUrl }, { query }) => ({
      body: await findHostCandidates(db, caller, query.query, baseUrl),
    }),
  }),
  defineConsoleRoute("eventSpeakers", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await listSpeakersOnStage(db, id, baseUrl) };
    },
  }),
  defineConsoleRoute("runOfShow", {
    access: "member",
    async handle({ db, caller, baseUrl }, { params }) {
      const { id } = await getHostedEvent(db, caller, params.event);
      return { body: await getRunOfShow(db, id, baseUrl) };
    },
  }),
];

/** Who changed what in an organization and in the events that it hosts. */
export const activityRoutes = (revertible: Revertible): ConsoleRoute<unknown>[] => [
  defineConsoleRoute("activity", {
    access: "member",
    handle: async ({ db, caller }: Member, { query: { cursor, limit, ...given } }) =>
      consolePage(
        await readRecordPage(db, { ...viewOf(caller, given), folded: true }, { cursor, limit }, (record) => ({
          ...listedRecord(record),
          revertible: reasonNotToRevert(record, caller, revertible) === undefined,
        })),
      ),
  }),
  defineConsoleRoute("exportActivity", {
    access: "member",
    handle: ({ db, caller, organization }: Member, { query }) => ({
      body: exportRecords(db, viewOf(caller, query)),
      contentType: "text/csv; charset=utf-8",
      filename: `activity-${organization.slug}.csv`,
    }),
  }),
  defineConsoleRoute("changeParts", {
    access: "member",
    async handle({ db, caller }: Member, { params }) {
      const { id } = await getRecord(db, caller, params.record);
      return consoleJson({ items: await listPartsInEffect(db, id) });
    },
  }),
  defineConsoleRoute("activityPeople", {
    access: "member",
    handle: async ({ db, organization }: Member) => consoleJson({ items: await listPeople(db, organization.id) }),
  }),
];

function viewOf(caller: Member["caller"], filters: FilterValues<typeof recordFilters>): RecordView {
  return { of: "organization", organizationId: caller.organizationId, filters };
}
