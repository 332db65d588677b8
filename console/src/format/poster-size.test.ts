import { expect, it } from "vitest";
import { sizeOf } from "./poster-size.ts";

it.each([
  [{ width: 800, height: 600, format: null }, [800, 600]],
  [{ width: null, height: null, format: "story" }, [1080, 1920]],
  [{ width: "800", height: {}, format: "square" }, [1080, 1080]],
  [{ width: null, height: 900, format: "landscape" }, [1200, 630]],
  [{ width: 800, height: null, format: "portrait" }, [1080, 1350]],
  [{ width: 400, height: 100, format: null }, [400, 100]],
  [{ width: 100, height: 400, format: null }, [100, 400]],
  [{ width: 401, height: 100, format: "square" }, [1080, 1080]],
  [{ width: 100_000, height: 100_000, format: null }, [1080, 1350]],
  [{ width: 1, height: 9000, format: null }, [1080, 1350]],
  [{ width: Number.NaN, height: -1, format: "constructor" }, [1080, 1350]],
])("%j", (poster, [width, height]) => {
  expect(sizeOf(poster)).toEqual({ width, height });
});
