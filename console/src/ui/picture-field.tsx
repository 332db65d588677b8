import { Suspense } from "react";
import type { PictureUse } from "../../../contract/pictures.ts";
import type { FieldProps } from "./field.tsx";
import { lazyPart } from "./lazy-part.ts";
import { Skeleton } from "./skeleton.tsx";

/** Loaded with the first form that has one. */
const PictureEditor = lazyPart(() => import("./picture-editor.tsx"), "PictureEditor");

export type PictureFieldProps = FieldProps & {
  use: PictureUse;
  /** The address of the picture; empty for none. */
  value: string;
  onChange: (address: string) => void;
  isReadOnly?: boolean;
  /** The event that the picture is for. */
  event?: string;
  /** For what is made for dark backgrounds. */
  isDark?: boolean;
};

/**
 * A picture that is chosen, dropped, pasted or taken with a camera, then cropped and uploaded. The form saves its address,
 * which can be entered instead.
 */
export const PictureField = (props: PictureFieldProps) => (
  <Suspense fallback={<Skeleton height="148px" label={`Loading: ${props.label}`} />}>
    <PictureEditor {...props} />
  </Suspense>
);
