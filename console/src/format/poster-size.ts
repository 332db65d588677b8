type Size = { width: number; height: number };

/** As the metadata has it: anything may be in it. */
type Stated = { width: unknown; height: unknown; format: string | null };

const formats: Record<string, Size> = {
  portrait: { width: 1080, height: 1350 },
  square: { width: 1080, height: 1080 },
  story: { width: 1080, height: 1920 },
  landscape: { width: 1200, height: 630 },
};
const usual: Size = { width: 1080, height: 1350 };
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
