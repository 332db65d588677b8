import { InlineNotice } from "../../../ui/inline-notice.tsx";

/** Pictures that could not be fetched for a drawing; the preview reports them. */
export function MissingPictures({ missing = [] }: { missing?: string[] | undefined }) {
  if (missing.length === 0) return null;
  return (
    <InlineNotice tone="warning" title="Some pictures are missing">
      {missing.join(" ")}
    </InlineNotice>
  );
}
