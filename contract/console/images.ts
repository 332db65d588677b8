import { z } from "zod";
import { type OrganizationPictureUse, pictureLimits, pictureRoles, pictureTypes } from "../pictures.js";
import { uuid } from "../schema/fields.js";

const uses = Object.keys(pictureRoles) as [OrganizationPictureUse, ...OrganizationPictureUse[]];

const file = { types: pictureTypes, maximumBytes: pictureLimits.bytes };

/** A picture as it is stored: `url` can be given to the tools, and `size` is in bytes. */
const uploadedImage = z.object({ url: z.url(), width: z.int(), height: z.int(), size: z.int() });

export const imageOperations = {
  /** A picture for an organization, or for an event that it hosts. */
  uploadImage: {
    query: z.object({ use: z.enum(uses), event: uuid.optional() }),
    file,
    response: uploadedImage,
  },
  /** A banner of a conference, or the tile of an event in any status. */
  uploadAdminImage: {
    query: z
      .object({ use: z.enum(["banner", "tile"]), event: uuid.optional() })
      .refine(({ use, event }) => (use === "tile") === (event !== undefined), {
        path: ["event"],
        error: "expected with a tile, and not with a banner",
      }),
    file,
    response: uploadedImage,
  },
};

export type UploadedImage = z.output<typeof uploadedImage>;
