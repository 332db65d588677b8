import type { Readable } from "node:stream";
import type { z } from "zod";
import { consoleOperations, type Declared, type Operation } from "../contract/console/operations.js";
import { consolePaths, type MethodOf, type OperationName } from "../contract/console/paths.js";
import type { OrganizationCaller, PlatformCaller } from "./access/caller.js";
import type { DoorLink } from "./access/door-links.js";
import type { Organization, Person } from "./access/session.js";
import type { Database } from "./infra/database/db.js";
import type { KeysetPage, TextPage } from "./infra/database/keyset-page.js";
import type { Observation } from "./infra/observability/observation.js";

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
  /** Somebody who has opened a door link on this device. Nobody else may call it, and they may call nothing else. */
  volunteer: { door: DoorLink; caller: OrganizationCaller };
};

/** The context of a handler, for handlers that name the services they need. */
export type ContextOf<Access extends ConsoleAccess, Services = unknown> = ConsoleContext<Services> & Contexts[Access];

type MemberContext = { person: Person; caller: OrganizationCaller; organization: Organization };

export type ConsoleAccess = keyof Contexts;

/** What every handler is given. `Services` is what the route reaches besides the database, provided by app.ts. */
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
  /** The body of an operation that declares a file. It is read when this is called, so that checks come first. */
  readFile(): Promise<Buffer>;
};

/** Without a body it is a 204. */
export type ConsoleResponse = {
  /** By default 200. */
  status?: 200 | 201;
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

type Input<Name extends OperationName> = {
  [Part in "params" | "query" | "body"]: z.output<Declared<Name, Part>>;
};

type Handle<Context, Parts> = (context: Context, input: Parts) => Promise<ConsoleResponse> | ConsoleResponse;

/** What runs an operation of the contract. */
export type ConsoleRoute<Services = never> = Operation & {
  name: OperationName;
  method: MethodOf<OperationName>;
  /** Parameters are written `:name`. */
  path: string;
  bodyLimitBytes?: number;
} & {
    [Access in ConsoleAccess]: { access: Access; handle: Handle<ConsoleContext<Services> & Contexts[Access], never> };
  }[ConsoleAccess];

/** Declares who may call an operation and what it does. The endpoint checks origin, session, rate limit, access and input first. */
export function defineConsoleRoute<Name extends OperationName, Access extends ConsoleAccess, Services = unknown>(
  name: Name,
  route: {
    access: Access;
    bodyLimitBytes?: number;
    handle: Handle<ConsoleContext<Services> & Contexts[Access], Input<Name>>;
  },
): ConsoleRoute<Services> {
  const [method, path] = consolePaths[name].split(" ");
  return { name, method, path, ...consoleOperations[name], ...route } as unknown as ConsoleRoute<Services>;
}

export function consoleJson(value: unknown): ConsoleResponse {
  return { body: JSON.stringify(value) };
}

/** The JSON of what the request has made. */
export function consoleCreated(value: unknown): ConsoleResponse {
  return { status: 201, ...consoleJson(value) };
}

export function consolePage(page: KeysetPage | TextPage): ConsoleResponse {
  return { body: pageJson(page) };
}

/** One page of a list as JSON text. Its items are JSON already. */
export function pageJson({ items, nextCursor }: KeysetPage | TextPage): string {
  const text = typeof items === "string" ? items : items.join(",");
  return `{"items":[${text}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}
