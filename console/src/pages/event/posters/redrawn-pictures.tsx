import type { StalePart } from "../../../../../contract/console/organization.ts";
import { type PosterFormat, posterFormats } from "../../../../../contract/poster-designs.ts";
import type { Preview } from "../../../api/tools.ts";
import { InlineNotice } from "../../../ui/inline-notice.tsx";
import { PosterImage } from "../../../ui/poster-image.tsx";
import { MissingPictures } from "./missing-pictures.tsx";
import { staleNote } from "./poster.ts";
import { PreviewPicture } from "./preview-picture.tsx";
import styles from "./redrawn-pictures.module.css";

type Shown = {
  id: string;
  title: string | null;
  format: PosterFormat;
  image_url: string;
  thumbnail_url: string | null;
  stale: StalePart[];
};

/** What a preview of redraw_event_posters has: both lists of posters are in the order of `previews`. */
type Redrawn = Preview & {
  current: { posters: Shown[] };
  proposed: { posters: Shown[] };
  previews: { url: string }[];
  missing: string[];
  note?: string;
};

/** Each poster as it is and as it would be, next to each other. */
export function RedrawnPictures({ preview }: { preview: Preview }) {
  const { current, proposed, previews, missing, note } = preview as Redrawn;
  return (
    <div className="column gap-5">
      {note !== undefined && <InlineNotice>{note}</InlineNotice>}
      <MissingPictures missing={missing} />
      <ul className={styles.pairs}>
        {current.posters.map((poster, place) => (
          <Pair
            key={poster.id}
            poster={poster}
            title={proposed.posters[place]?.title ?? null}
            drawing={previews[place]?.url ?? ""}
          />
        ))}
      </ul>
    </div>
  );
}

function Pair({ poster, title, drawing }: { poster: Shown; title: string | null; drawing: string }) {
  const size = posterFormats[poster.format];
  const name = title ?? "Untitled poster";
  return (
    <li className="column gap-2">
      <div>
        <h3 className="small plain" dir="auto">
          {name}
        </h3>
        <p className="muted small">{poster.stale.length === 0 ? "Drawn anew" : staleNote(poster.stale)}</p>
      </div>
      <div className={styles.pair} data-wide={size.width > size.height || undefined}>
        <figure className="column gap-1">
          <PosterImage
            src={poster.image_url}
            thumbnail={poster.thumbnail_url}
            alt={`${name} as it is`}
            {...size}
            eager
          />
          <figcaption className="muted small">Now</figcaption>
        </figure>
        <figure className="column gap-1">
          <PreviewPicture src={drawing} {...size} />
          <figcaption className="small medium">Redrawn</figcaption>
        </figure>
      </div>
    </li>
  );
}
