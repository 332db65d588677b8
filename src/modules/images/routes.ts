import { z } from "zod";
import { ServiceError } from "../../../contract/errors.js";
import { definePublicRoute } from "../../route.js";
import { hashInPath } from "./store.js";

export const getImage = definePublicRoute({
  operationId: "getImage",
  tag: "images",
  method: "GET",
  path: "/images/:file",
  summary: "Download an image",
  description:
    "The file name is the SHA-256 of the content, so a URL always returns the same bytes. The ETag is that hash; If-None-Match with it is a 304 even if the image is not stored.",
  params: z.object({ file: z.string() }),
  query: z.object({
    preview: z
      .string()
      .max(8192)
      .optional()
      .meta({ description: "from a preview: shows the drawing before it is stored, until it expires" }),
  }),
  response: z.file(),
  examples: { params: { file: "209dbba0492680a99496346851ae918a503ef0add47a2e0fd42f47308c6023a5.png" } },
  errors: {
    404: "Image not found; with preview also: it has expired, or the event has changed",
    503: "too many images are being read (Retry-After)",
  },
  handle({ findImage }, { params, query: { preview } }) {
    const path = `/images/${params.file}`;
    const hash = hashInPath(path);
    if (hash === undefined) throw notFound();
    return {
      etag: `"${hash}"`,
      // A drawing that is not stored may never be.
      cacheControl: preview === undefined ? "public, max-age=31536000, immutable" : "private, max-age=600",
      async read() {
        const image = await findImage(path, preview);
        if (image === undefined) throw notFound();
        return image;
      },
    };
  },
});

function notFound(): ServiceError {
  return new ServiceError("not_found", "Image not found");
}
