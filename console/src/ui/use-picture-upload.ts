import { useEffect, useRef, useState } from "react";
import { type PictureUse, pictureLimits } from "../../../contract/pictures.ts";
import { ApiError, isApiError, messageOf } from "../api/api-error.ts";
import { type CallOptions, upload } from "../api/client.ts";
import type { Progress } from "../api/send-file.ts";
import { useOptionalOrganization } from "../api/session.ts";
import { formatCount } from "../format/counts.ts";
import { unreadable } from "./picture-file.ts";

/** What is being sent, and how much of it was; or why it was not. The picture is missing until it is prepared. */
type Upload = { picture?: Blob | undefined; sent?: number; problem?: string };

type Options = { use: PictureUse; event: string | undefined; onUploaded: (address: string) => void };

/** Sends one picture at a time. It stops when its form is closed. */
export function usePictureUpload({ use, event, onUploaded }: Options) {
  const send = useSend(use, event);
  const [upload, setUpload] = useState<Upload>({});
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);

  const start = async (prepared: Blob | Promise<Blob>) => {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    let picture: Blob | undefined;
    try {
      setUpload({ sent: 0 });
      picture = await prepared;
      const onProgress = (sent: number) => !signal.aborted && setUpload({ picture, sent });
      onProgress(0);
      const { url } = await send(picture, { signal, onProgress });
      setUpload({});
      onUploaded(url);
    } catch (error) {
      if (!signal.aborted) setUpload({ picture, problem: picture === undefined ? unreadable : problemOf(error) });
    }
  };
  const { picture, problem } = upload;
  return {
    ...upload,
    start: (file: Blob | Promise<Blob>) => void start(file),
    cancel: () => {
      running.current.abort();
      setUpload({});
    },
    /** Says why a file is not sent. */
    refuse: (reason: string) => setUpload({ problem: reason }),
    retry: problem === undefined || picture === undefined ? undefined : () => void start(picture),
  };
}

/** For the organization of the page; on those of the platform, for a conference or the host of the event. */
function useSend(use: PictureUse, event: string | undefined) {
  const organization = useOptionalOrganization()?.id;
  return (picture: Blob, options: CallOptions & { onProgress: Progress }) => {
    if (organization !== undefined && use !== "banner") {
      return upload("uploadImage", { organization, query: { use, event } }, picture, options);
    }
    if (use !== "banner" && use !== "tile") throw new Error("usePictureUpload: the path names no organization");
    return upload("uploadAdminImage", { query: { use, event } }, picture, options);
  };
}

/** What is wrong, and what can be done about it. */
function problemOf(error: unknown): string {
  if (isApiError(error, "too_large")) return `This picture is too large: at most ${megabytes(pictureLimits.bytes)}.`;
  const quota = error instanceof ApiError ? error.details?.quota_bytes : undefined;
  return typeof quota === "number"
    ? `The pictures of the organization may have ${megabytes(quota)} in total, and this one no longer fits. Whoever runs this service can allow more.`
    : messageOf(error);
}

const megabytes = (bytes: number): string => `${formatCount(Math.floor(bytes / 1_000_000))} MB`;
