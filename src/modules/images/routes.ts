import { z } from "zod";
import { definePublicRoute } from "../../declare/route.js";
import { ServiceError } from "../../platform/errors.js";
import { findImage, imagePath } from "./store.js";

export const getImage = definePublicRoute({
  method: "GET",
  path: "/images/:file",
  summary: "An image that the service keeps",
  description: "The name is the content's SHA-256: the same address always gives the same bytes.",
  params: z.object({ file: z.string() }),
  answer: z.file(),
  errors: { 404: "Image not found" },
  async handle({ db }, { params }) {
    const hash = /^([0-9a-f]{64})\.\w+$/.exec(params.file)?.[1];
    const image = hash === undefined ? undefined : await findImage(db, hash);
    if (image === undefined || imagePath(image) !== `/images/${params.file}`) {
      throw new ServiceError("not_found", "Image not found");
    }
    return { body: image.bytes, contentType: image.contentType, cacheControl: "public, max-age=31536000, immutable" };
  },
});
