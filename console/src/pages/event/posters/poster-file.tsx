import { useQuery } from "@tanstack/react-query";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { imagePathPattern, posterFileName } from "../../../../../contract/poster-files.ts";
import { messageOf } from "../../../api/api-error.ts";
import { fileKey } from "../../../api/query-keys.ts";
import { Button, DownloadLink, ExternalButtonLink } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast-queue.ts";
import { useEvent } from "../event-page.ts";
import { describePoster } from "./poster.ts";

/** The picture on this site, where a browser saves it under a name of ours; undefined for one that is elsewhere. */
function pathOf({ image_url }: EventPoster): string | undefined {
  return URL.canParse(image_url) ? imagePathPattern.exec(new URL(image_url).pathname)?.[0] : undefined;
}

function useFileName(poster: EventPoster): string {
  const { name } = useEvent();
  const { title, metadata, image_url } = poster;
  return posterFileName({ title, format: metadata.format, event: name }, image_url);
}

export function DownloadPicture({ poster }: { poster: EventPoster }) {
  const path = pathOf(poster);
  const name = useFileName(poster);
  if (path !== undefined) {
    return (
      <DownloadLink href={path} download={name}>
        Download picture
      </DownloadLink>
    );
  }
  return (
    <ExternalButtonLink href={poster.image_url} icon="external">
      Open the picture<span className="visually-hidden"> in a new tab</span>
    </ExternalButtonLink>
  );
}

/** Hands the picture and a caption to another app, where the browser can. */
export function SharePicture({ poster }: { poster: EventPoster }) {
  const path = pathOf(poster);
  const name = useFileName(poster);
  const canShare = typeof navigator.canShare === "function" && path !== undefined;
  // Loaded before: a browser shares only right after a press.
  const { data: file } = useQuery({
    queryKey: fileKey(path, name),
    enabled: canShare,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(path ?? "", { signal });
      if (!response.ok) throw new Error(`The picture could not be loaded (status ${response.status})`);
      const blob = await response.blob();
      return new File([blob], name, { type: blob.type });
    },
  });
  if (!canShare || file === undefined || !navigator.canShare({ files: [file] })) return null;
  const { captions, hashtags } = describePoster(poster);
  const text = [captions[0], hashtags.join(" ")].filter((part) => part !== undefined && part !== "").join("\n\n");
  const share = async () => {
    try {
      await navigator.share({ files: [file], ...(text === "" ? {} : { text }) });
    } catch (error) {
      // The person closed the list of apps.
      if (error instanceof DOMException && error.name === "AbortError") return;
      showToast(`The picture could not be shared. ${messageOf(error)}`, { tone: "danger" });
    }
  };
  return (
    <Button icon="share" kind="primary" onPress={() => void share()}>
      Share picture
    </Button>
  );
}
