import type { z } from "zod";
import type { speakerRole } from "../speakers/schema.js";

/** What the poster tools need beside the database. */
export type PosterServices = {
  /** Renders off the event loop, in bounded time and memory, in the organization's share. The same job gives the same files. */
  drawPoster(job: PosterJob, organizationId: string): Promise<DrawnPoster>;
  /** What the images of an organization's posters may add up to. */
  imageQuotaBytes: number;
};

/** Everything that a poster shows. Pictures are URLs: of the service's own images, or public ones over https. */
export type PosterJob = {
  template: string;
  format: string;
  title: string;
  event_name: string;
  conference_name: string;
  when: string;
  where: string;
  organization: { name: string; logo_url: string | null };
  /** #rrggbb */
  primary_color: string;
  secondary_color: string;
  speakers: {
    name: string;
    title: string | null;
    company: string | null;
    role: z.infer<typeof speakerRole>;
    photo_url: string | null;
  }[];
};

export type DrawnPoster = {
  image: DrawnImage;
  thumbnail: DrawnImage;
  width: number;
  height: number;
  /** Pictures that could not be loaded, and why; the poster shows initials or the name instead. */
  missing: string[];
};

/** By the SHA-256 of its bytes, in hex. */
export type DrawnImage = { hash: string; contentType: "image/png"; bytes: Buffer };
