import type { Role } from "./roles.js";

/** Pictures that people upload in the console. */

export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;

/** Of a picture that is sent. Phones take pictures of 12 or 24 megapixels. */
export const pictureLimits = { bytes: 10_000_000, pixels: 25_000_000 } as const;

/** How long a browser keeps what was entered in a form and not saved, counted from the last key. */
export const keptDraftDays = 14;

/** How long a picture stays that nothing shows, since it was uploaded or shown last: longer than a form that refers to it. */
export const unusedPictureDays = keptDraftDays + 1;

export type PictureSize = { width: number; height: number };

/** What pictures are used for. Larger ones are scaled down to this size, in pixels, before they are stored. */
export const pictureSizes = {
  logo: { width: 512, height: 512 },
  photo: { width: 800, height: 800 },
  tile: { width: 1600, height: 1600 },
  poster: { width: 2160, height: 3840 },
  banner: { width: 1920, height: 1080 },
} as const satisfies Record<string, PictureSize>;

export type PictureUse = keyof typeof pictureSizes;

/** What organizations use pictures for, with the role of those who may change what shows them. */
export const pictureRoles = {
  logo: "owner",
  photo: "admin",
  tile: "admin",
  poster: "admin",
} as const satisfies { [Use in PictureUse]?: Role };

export type OrganizationPictureUse = keyof typeof pictureRoles;
