import type { z } from "zod";
import type { Role } from "../contract/roles.js";
import type { RequiredScope } from "../contract/scopes.js";
import type { KeyCaller } from "./access/caller.js";
import type { ChangedList } from "./access/changes.js";
import type { Database } from "./infra/database/db.js";
import { paginationOf, type TextPage } from "./infra/database/keyset-page.js";
import type { ReadPoint } from "./infra/database/read-point.js";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * A string body is JSON unless `contentType` says otherwise. `nextCursor` becomes a link to the next page. `readAt` is when
 * the first statement read what the response shows; null if more than the list of the route decides it, so that it may not
 * be kept.
 */
export type Content = {
  body: string | Buffer;
  contentType?: string;
  nextCursor?: string | null;
  readAt?: ReadPoint | null;
};

/** A response. Content with a known ETag is read only if the client does not have it. */
export type RouteResponse = { cacheControl?: string } & (Content | { etag: string; read(): Promise<Content> });

/** What every handler is given. */
export type RouteContext = {
  db: Database;
  /** An image of the service by its path, such as `/images/….png`; with a token, also one that is not stored yet. */
  findImage(path: string, preview?: string): Promise<Content | undefined>;
  baseUrl: string;
  /** What describes the API, as JSON. Built once, when it is first asked for. */
  documents(): { discovery: string; openapi: string };
};

/** The sections of the documentation that list operations, in their order. */
export const tags = {
  service: "What the service offers, and whether a key works.",
  conferences: "Conferences and their events.",
  posters: "Posters of events, and where they were posted.",
  images: "The files behind the URLs of images.",
  ticketing: "Guests, ticket types and coupons on the ticketing platform, for organization keys.",
  mcp: "Tools for agents, over the Model Context Protocol.",
  removed: "Endpoints of earlier versions. Every method returns 410.",
} as const;

export type Tag = keyof typeof tags;

/** A request that works on the demo data, and its response. */
export type Examples = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Undefined for a file. */
  response?: unknown;
};

type Described = {
  /** Names the operation in OpenAPI, and so the function of a generated client. */
  operationId: string;
  tag: Tag;
  examples: Examples;
  method: Method;
  /** Parameters are written `:name`. */
  path: string;
  summary: string;
  description?: string;
  /** The shape of a 200 response. Tests validate responses against it; requests do not. */
  response: z.ZodType;
  /** Errors beyond those that every route documents, by status. */
  errors?: Record<number, string>;
};

type Inputs<Params, Query, Body> = { params?: Params; query?: Query; body?: Body };

type Handler<Context, Params, Query, Body> = {
  handle(
    context: Context,
    input: { params: z.output<Params>; query: z.output<Query>; body: z.output<Body> },
  ): Promise<RouteResponse> | RouteResponse;
};

export type KeyContext = RouteContext & {
  caller: KeyCaller;
  /** Throws a 412 if the request has an If-Match that does not name this representation, the one that GET returns. */
  requireMatch(current: string): void;
};

/** The scope that an organization key needs, null: any valid key; and the role of its user, by default any. */
type Scoped = { scope: RequiredScope | null; role?: Role };

/**
 * Responses of the route depend only on rows of this list that the caller sees, and may be kept until these change.
 * `conferenceId` is the one conference in which everything is that decides the response, if the request names it.
 */
type Cached<Params, Query> = {
  cache?: {
    list: ChangedList;
    conferenceId?(input: { params: z.output<Params>; query: z.output<Query> }): string | undefined;
  };
};

type Schemas = Inputs<z.ZodObject, z.ZodObject, z.ZodObject>;

export type KeyRoute = Described &
  Scoped &
  Schemas &
  Cached<z.ZodType, z.ZodType> &
  Handler<KeyContext, z.ZodType, z.ZodType, z.ZodType> & { access: "key" };

export type PublicRoute = Described &
  Schemas &
  Handler<RouteContext, z.ZodType, z.ZodType, z.ZodType> & { access: "public" };

export type Route = KeyRoute | PublicRoute;

export function defineRoute<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
>(
  route: Described &
    Scoped &
    Inputs<Params, Query, Body> &
    Cached<Params, Query> &
    Handler<KeyContext, Params, Query, Body>,
): KeyRoute {
  return { ...route, access: "key" };
}

export function definePublicRoute<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
>(route: Described & Inputs<Params, Query, Body> & Handler<RouteContext, Params, Query, Body>): PublicRoute {
  return { ...route, access: "public" };
}

/** A path with its parameters in braces, as documents write them. */
export function braces(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
}

export function json(value: unknown): Content {
  return { body: JSON.stringify(value) };
}

export function pageResponse(page: TextPage): RouteResponse {
  const pagination = paginationOf(page.nextCursor, page.count);
  return {
    body: `{"items":[${page.items}],"pagination":${JSON.stringify(pagination)}}`,
    nextCursor: page.nextCursor,
    readAt: page.readAt,
  };
}

/** A removed path: 410 for every method, with a link to its successor, which may repeat its parameters. */
export type RemovedEndpoint = {
  operationId: string;
  path: string;
  successor: string;
  deprecatedAt: Date;
  removedAt: Date;
};

/** How an endpoint that is not a REST route appears in the API description and in OpenAPI. */
export type EndpointDescription = {
  discovery: { limit: { requests: number; per: string; paths: string } };
  openapiPaths: Record<string, Record<string, object>>;
  /** Components that its operations refer to. */
  openapiSchemas?: Record<string, object>;
};
