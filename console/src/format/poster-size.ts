import { posterFormats } from "../../../contract/poster-designs.ts";

type Size = { width: number; height: number };

/** As the metadata has it: anything may be in it. */
type Stated = { width: unknown; height: unknown; format: string | null };

const formats: Record<string, Size> = posterFormats;
const usual: Size = posterFormats.portrait;
/** A poster is never a thin line, whatever its metadata says. */
const extremeRatio = 4;

/** The size of a poster as its metadata states it, else of its format, else the usual one. */
export function sizeOf({ width, height, format }: Stated): Size {
  if (isLength(width) && isLength(height)) {
    const ratio = width / height;
    if (ratio <= extremeRatio && ratio >= 1 / extremeRatio) return { width, height };
  }
  return (format !== null && Object.hasOwn(formats, format) ? formats[format] : undefined) ?? usual;
}

const isLength = (value: unknown): value is number => typeof value === "number" && value > 0 && value < 100_000;
