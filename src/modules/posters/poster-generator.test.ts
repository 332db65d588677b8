import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ImageFetcher } from "../../infra/fetch-image.js";
import { createLog } from "../../infra/observability/log.js";
import type { RenderedPoster } from "../../poster-render/poster-input.js";
import { createPosterGenerator, posterLimits } from "./poster-generator.js";
import type { PosterJob } from "./poster-job.js";

const rendered: RenderedPoster = {
  image: Buffer.from("image"),
  thumbnail: Buffer.from("thumbnail"),
  miniature: Buffer.from("miniature"),
  width: 1080,
  height: 1080,
  thumbnail_width: 320,
  thumbnail_height: 320,
  unusable_logo: false,
  unusable_photos: [],
};

function job(title: string, logoUrl: string | null = null): PosterJob {
  return {
    template: "lineup",
    format: "square",
    title,
    event_name: "Event",
    conference_name: "Conference",
    when: "Monday",
    where: "Room 1",
    organization: { name: "Organization", logo_url: logoUrl },
    primary_color: "#000000",
    secondary_color: "#ffffff",
    co_hosts: [],
    link: null,
    words: { with: "with", more: "more", moderator: "Moderator", host: "Host" },
    speakers: [],
  };
}

/** A generator whose renderer records the titles it starts and completes them with `render`. */
function generatorWith(render: (title: string) => Promise<RenderedPoster>) {
  const started: string[] = [];
  const fetcher: ImageFetcher = { fetch: async () => ({ problem: "could not be reached" }), close: async () => {} };
  const generator = createPosterGenerator({
    renderer: {
      render({ material: { title } }) {
        started.push(title);
        return render(title);
      },
      close: async () => {},
    },
    fetcher,
    images: { save: async () => {}, find: async () => undefined },
    baseUrl: "https://svc.test",
    log: createLog("silent"),
  });
  const draw = (one: PosterJob, organization = `organization of ${one.title}`) => generator.draw(one, organization);
  return { started, draw };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("limits", () => {
  it("draws four posters at once, queues 32 more, refuses the next one and accepts it once there is room", async () => {
    const complete = new Map<string, () => void>();
    const generator = generatorWith((title) => new Promise((resolve) => complete.set(title, () => resolve(rendered))));
    const drawings = Array.from({ length: 36 }, (_, index) => generator.draw(job(`poster ${index}`)));
    await nextTurn();
    expect(generator.started).toEqual(["poster 0", "poster 1", "poster 2", "poster 3"]);
    await expect(generator.draw(job("one too many"))).rejects.toThrow("Too many posters of all organizations");

    complete.get("poster 0")?.();
    await drawings[0];
    await nextTurn();
    expect(generator.started.at(-1)).toBe("poster 4");
    drawings.push(generator.draw(job("one too many")));
    for (let index = 1; index < drawings.length; index++) {
      await expect.poll(() => complete.size).toBeGreaterThan(index);
      complete.get(generator.started[index] ?? "")?.();
    }
    expect(await Promise.all(drawings)).toHaveLength(37);
    expect(new Set(generator.started).size).toBe(37);
  });

  it("draws two posters of an organization at once, queues four more and refuses the next one, but not another's", async () => {
    const complete = new Map<string, () => void>();
    const generator = generatorWith((title) => new Promise((resolve) => complete.set(title, () => resolve(rendered))));
    const drawings = Array.from({ length: 6 }, (_, index) => generator.draw(job(`poster ${index}`), "greedy"));
    await nextTurn();
    expect(generator.started).toEqual(["poster 0", "poster 1"]);
    await expect(generator.draw(job("one too many"), "greedy")).rejects.toThrow("Your organization has 6 posters");
    const others = generator.draw(job("another's"), "other");
    await nextTurn();
    expect(generator.started.at(-1)).toBe("another's");
    complete.get("another's")?.();
    await others;

    complete.get("poster 0")?.();
    await drawings[0];
    drawings.push(generator.draw(job("one more"), "greedy"));
    for (let index = 1; index < drawings.length; index++) {
      await expect.poll(() => complete.size).toBeGreaterThan(index + 1);
      for (const title of generator.started) complete.get(title)?.();
    }
    expect(await Promise.all(drawings)).toHaveLength(7);
  });

  it("continues with the next poster after one has failed", async () => {
    const generator = generatorWith(async (title) => {
      if (title !== "good") throw new Error("failed");
      return rendered;
    });
    const bad = Array.from({ length: 4 }, (_, index) => generator.draw(job(`bad ${index}`)));
    const good = generator.draw(job("good"));
    for (const drawing of bad) await expect(drawing).rejects.toThrow("could not be drawn");
    expect(await good).toMatchObject({ width: 1080 });
  });
});

describe("pictures that cannot be used", () => {
  const speaker = (photo_url: string | null) => {
    return { name: "Ada", title: null, company: null, role: "speaker" as const, photo_url };
  };

  /** Counts what is fetched. Paths that start with /broken are fetched and cannot be decoded; others are not found. */
  function pictureGenerator(limits = posterLimits) {
    const fetched: string[] = [];
    const generator = createPosterGenerator(
      {
        renderer: {
          async render({ material }) {
            const unusable_photos = material.speakers.flatMap(({ photo }, index) => (photo === null ? [] : [index]));
            return { ...rendered, unusable_photos };
          },
          close: async () => {},
        },
        fetcher: {
          async fetch(url) {
            fetched.push(new URL(url).pathname);
            return url.includes("/broken") ? { bytes: Buffer.from("broken") } : { problem: "returned status 404" };
          },
          close: async () => {},
        },
        images: { save: async () => {}, find: async () => undefined },
        baseUrl: "https://svc.test",
        log: createLog("silent"),
      },
      limits,
    );
    const draw = (title: string, ...paths: string[]) =>
      generator.draw({ ...job(title), speakers: paths.map((path) => speaker(`https://pictures.test${path}`)) }, "one");
    return { draw, fetched };
  }

  it("are reported, and neither fetched nor decoded again soon", async () => {
    const { draw, fetched } = pictureGenerator();
    for (const title of ["first", "second"]) {
      expect((await draw(title, "/gone", "/broken")).missing).toEqual([
        "Photo of Ada: https://pictures.test/broken cannot be decoded, or has more than 16 megapixels",
        "Photo of Ada: https://pictures.test/gone returned status 404",
      ]);
    }
    expect(fetched).toEqual(["/gone", "/broken"]);
  });

  it("are forgotten beyond the limit, the least recently used first", async () => {
    const { draw, fetched } = pictureGenerator({ ...posterLimits, failedPictures: 2 });
    for (const path of ["/1", "/2", "/3", "/3", "/1"]) await draw(`${path} ${fetched.length}`, path);
    expect(fetched).toEqual(["/1", "/2", "/3", "/1"]);
  });
});

describe("cache", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("draws equal jobs once, concurrent ones too, and evicts the least recently used", async () => {
    const generator = generatorWith(async () => rendered);
    await Promise.all([generator.draw(job("first")), generator.draw(job("first")), generator.draw(job("second"))]);
    expect(generator.started).toEqual(["first", "second"]);
    await generator.draw(job("first"));
    for (let index = 0; index < 23; index++) await generator.draw(job(`other ${index}`));
    await generator.draw(job("first"));
    expect(generator.started).toHaveLength(25);
    await generator.draw(job("second"));
    expect(generator.started.slice(25)).toEqual(["second"]);
  });

  it("does not cache failures", async () => {
    const generator = generatorWith(async () => {
      throw new Error("failed");
    });
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(generator.draw(job("bad"))).rejects.toThrow("could not be drawn");
      expect(generator.started).toHaveLength(attempt);
    }
  });

  it("keeps a complete poster for five minutes and one with a missing picture for 30 seconds", async () => {
    let nowMs = 1;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const advance = async (ms: number) => {
      nowMs += ms;
      // lru-cache reads the clock at most once per millisecond.
      await sleep(5);
    };
    const generator = generatorWith(async () => rendered);
    const drawBoth = async () => {
      await generator.draw(job("complete"));
      await generator.draw(job("incomplete", "https://pictures.test/logo.png"));
    };
    await drawBoth();
    await advance(29_000);
    await drawBoth();
    expect(generator.started).toEqual(["complete", "incomplete"]);
    await advance(2_000);
    await drawBoth();
    expect(generator.started.slice(2)).toEqual(["incomplete"]);
    await advance(270_000);
    await drawBoth();
    expect(generator.started.slice(3)).toEqual(["complete", "incomplete"]);
  });
});
