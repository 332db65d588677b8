import type { EventPoster } from "../../../../../contract/console/event.ts";
import { PosterImage } from "../../../ui/poster-image.tsx";
import { describePoster, titleOf } from "./poster.ts";

export function PosterPicture({ poster, eager = true }: { poster: EventPoster; eager?: boolean }) {
  const { size, altText } = describePoster(poster);
  return (
    <PosterImage
      src={poster.image_url}
      thumbnail={poster.thumbnail_url}
      alt={altText ?? titleOf(poster)}
      width={size.width}
      height={size.height}
      eager={eager}
    />
  );
}
