import { existsSync, readFileSync } from "node:fs";
import { ServiceError } from "../../contract/errors.js";
import { projectRoot } from "../infra/project-root.js";
import { type Era, type RpcRequest, rpcCodes, shortened, viewMimeType } from "./protocol.js";
import { fieldsOfJson } from "./results.js";

/** The view of every tool that changes something: the preview, and a button that commits it (console/src/preview-card). */
export const cardUri = "ui://event-platform/preview-card";

const file = new URL("dist/preview-card.html", projectRoot);

/** The page loads nothing, so it declares no addresses. */
const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

const resource = {
  uri: cardUri,
  name: "preview-card",
  title: "Preview of a change",
  description: "What a change does, its warnings and images, and a button that commits it",
  mimeType: viewMimeType,
};

/** Results about resources are the same for every key. */
const ttlMs = 3_600_000;

/** As fields. */
export type ResourceResults = { list: string; templates: string; card: string | undefined };

/** Reads the built page once. */
export function prepareResources(): Record<Era, ResourceResults> {
  const page = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const prepared = (era: Era): ResourceResults => {
    const cached = era === "modern" ? { ttlMs, cacheScope: "public" } : {};
    const prepare = (fields: object) => fieldsOfJson({ ...fields, ...cached });
    const contents = [{ uri: cardUri, mimeType: viewMimeType, text: page, _meta: meta }];
    return {
      list: prepare({ resources: [{ ...resource, _meta: meta }] }),
      templates: prepare({ resourceTemplates: [] }),
      card: page === undefined ? undefined : prepare({ contents }),
    };
  };
  return { modern: prepared("modern"), legacy: prepared("legacy") };
}

/** The result of resources/read. */
export function readResource({ card }: ResourceResults, { era, params: { uri } }: RpcRequest) {
  if (typeof uri !== "string") return { invalid: "uri: expected the uri of a resource" };
  if (uri !== cardUri) {
    const code = era === "modern" ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
    return { invalid: `Resource not found: ${shortened(uri)}`, code, data: { uri: shortened(uri) } };
  }
  if (card !== undefined) return card;
  throw new ServiceError(
    "unavailable",
    "The preview card is not built. Run npm run build, and start the service again",
  );
}
