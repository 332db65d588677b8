import type { Readable } from "node:stream";
import { z } from "zod";
import { uuid } from "../contract/schema/fields.js";
import type { OrganizationCaller, PlatformCaller } from "./access/caller.js";
import type { Organization, Person } from "./access/session.js";
import type { Database } from "./platform/database/db.js";
import type { KeysetPage, TextPage } from "./platform/database/keyset-page.js";
import type { Observation } from "./platform/observability/observation.js";

/** What each access of a console route requires, and what its handler is given. */
type Contexts = {
  /** Anyone; `person` is there if they are signed in. */
  public: { person: Person | undefined };
  signed_in: { person: Person };
  /** A member of the organization in the path (`:organization`, id or slug) with at least this role. */
  member: MemberContext;
  admin: MemberContext;
  owner: MemberContext;
  platform_admin: { person: Person; caller: PlatformCaller };
};

/** The context of a handler, for handlers that name the services they need. */
export type ContextOf<Access extends ConsoleAccess, Services = unknown> = ConsoleContext<Services> & Contexts[Access];

type MemberContext = { person: Person; caller: OrganizationCaller; organization: Organization };

export type ConsoleAccess = keyof Contexts;

/** What every handler is given. `Services` is what the route reaches beside the database, provided by app.ts. */
export type ConsoleContext<Services> = {
  db: Database;
  baseUrl: string;
  services: Services;
  request: ConsoleRequest;
};

export type ConsoleRequest = {
  cookie: string | undefined;
  /** The address of the client, for throttling and the list of sessions. */
  ip: string;
  userAgent: string | undefined;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  observation: Observation;
};

/** Without a body it is a 204. */
export type ConsoleResponse = {
  /** A string is JSON text unless `contentType` says otherwise. */
  body?: string | Buffer | Readable;
  contentType?: string;
  /** The name under which a browser saves the body. */
  filename?: string;
  setCookie?: string[];
  redirectTo?: string;
};

/** The content type of server-sent events. */
export const eventStream = "text/event-stream";

export type ConsoleMethod = "GET" | "POST";

type Declared<Params, Query, Body> = {
  method: ConsoleMethod;
  /** Parameters are written `:name`. */
  path: `/api/console/${string}`;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  bodyLimitBytes?: number;
};

type Handle<Context, Params, Query, Body> = (
  context: Context,
  input: { params: z.output<Params>; query: z.output<Query>; body: z.output<Body> },
) => Promise<ConsoleResponse> | ConsoleResponse;

export type ConsoleRoute<Services = never> = Declared<z.ZodObject, z.ZodObject, z.ZodType> &
  {
    [Access in ConsoleAccess]: {
      access: Access;
      handle: Handle<ConsoleContext<Services> & Contexts[Access], z.ZodType, z.ZodType, z.ZodType>;
    };
  }[ConsoleAccess];

/** Declares a route of the console. The endpoint checks origin, session, rate limit, access and input before it runs. */
export function defineConsoleRoute<
  Access extends ConsoleAccess,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Services = unknown,
>(
  route: Declared<Params, Query, Body> & {
    access: Access;
    handle: Handle<ConsoleContext<Services> & Contexts[Access], Params, Query, Body>;
  },
): ConsoleRoute<Services> {
  return route as unknown as ConsoleRoute<Services>;
}

/** The path of a console route that is about one organization. */
export function organizationPath(rest: string): `/api/console/${string}` {
  return `/api/console/organizations/:organization/${rest}`;
}

/** The parameters of `eventPath`. */
export const eventParams = z.object({ event: uuid });

/** The path of a console route that is about one event of an organization; without `rest`, the event itself. */
export function eventPath(rest?: string): `/api/console/${string}` {
  return organizationPath(rest === undefined ? "events/:event" : `events/:event/${rest}`);
}

export function consoleJson(value: unknown): ConsoleResponse {
  return { body: JSON.stringify(value) };
}

export function consolePage(page: KeysetPage | TextPage): ConsoleResponse {
  return { body: pageJson(page) };
}

/** One page of a list as JSON text. Its items are JSON already. */
export function pageJson({ items, nextCursor }: KeysetPage | TextPage): string {
  const text = typeof items === "string" ? items : items.join(",");
  return `{"items":[${text}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}
