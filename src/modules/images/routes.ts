import { z } from "zod";
import { ServiceError } from "../../platform/errors.js";
import { definePublicRoute } from "../../route.js";
import { hashInPath, imagePath, imageStore } from "./store.js";

export const getImage = definePublicRoute({
  method: "GET",
  path: "/images/:file",
  summary: "Download an image",
  description: "The file name is the SHA-256 of the content, so a URL always returns the same bytes.",
  params: z.object({ file: z.string() }),
  response: z.file(),
  errors: { 404: "Image not found" },
  async handle({ db }, { params }) {
    const path = `/images/${params.file}`;
    const hash = hashInPath(path);
    const image = hash === undefined ? undefined : await imageStore(db).find(hash);
    if (image === undefined || imagePath(image) !== path) {
      throw new ServiceError("not_found", "Image not found");
    }
    return { body: image.bytes, contentType: image.contentType, cacheControl: "public, max-age=31536000, immutable" };
  },
});
