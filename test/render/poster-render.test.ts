import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { contrast, inkOn, parseColor, readable, toHex } from "../../src/modules/posters/render/colors.js";
import { composePoster } from "../../src/modules/posters/render/draw-poster.js";
import { hanStyleOf, initialsOf, makeLegible } from "../../src/modules/posters/render/legible-text.js";
import { isDecodable } from "../../src/modules/posters/render/pictures.js";
import {
  type PosterInput,
  type PosterMaterial,
  type PosterSpeaker,
  posterFormats,
  posterTemplates,
} from "../../src/modules/posters/render/poster-input.js";
import type * as PosterRendererModule from "../../src/modules/posters/render/poster-renderer.js";
import type { SetLine } from "../../src/modules/posters/render/set-text.js";
import { createWorkerPool, workerFailureOf } from "../../src/modules/posters/render/worker-pool.js";

// The worker thread runs compiled code, so what starts it is taken from the build.
const rendererUrl = new URL("../../dist/modules/posters/render/poster-renderer.js", import.meta.url).href;
const { createPosterRenderer, posterRenderFailureOf }: typeof PosterRendererModule = await import(rendererUrl);

const renderer = createPosterRenderer({ threads: 2, timeoutMs: 60_000 });
afterAll(() => renderer.close());

const formats = Object.keys(posterFormats) as (keyof typeof posterFormats)[];
const everyDesign = posterTemplates.flatMap((template) => formats.map((format) => ({ template, format })));

function speaker(name: string, more: Partial<PosterSpeaker> = {}): PosterSpeaker {
  return { name, title: "Head of Platform", company: "Northwind Labs", role: "speaker", photo: null, ...more };
}

function material(more: Partial<PosterMaterial> = {}): PosterMaterial {
  return {
    title: "The Quiet Infrastructure",
    event_name: "Evening talks",
    conference_name: "Nordic Systems Week",
    when: "Day 2 · Thu 18:30–20:00",
    where: "Harbour Hall, Pier 4",
    speakers: [speaker("Amara Okonkwo"), speaker("Jonas Lindqvist"), speaker("Sofía Restrepo", { role: "moderator" })],
    organization: { name: "Fjord Collective", logo: null },
    primary_color: "#1d4ed8",
    secondary_color: "#facc15",
    ...more,
  };
}

function crowd(count: number): PosterSpeaker[] {
  return Array.from({ length: count }, (_, index) => speaker(`Speaker Number ${index + 1}`));
}

const photo = new Uint8Array(
  await sharp({
    create: {
      width: 200,
      height: 256,
      channels: 3,
      background: "#b08968",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer(),
);

describe("every design", () => {
  test.each(everyDesign)("$template in $format is a PNG of the promised size", async ({ template, format }) => {
    const poster = await renderer.render({ template, format, material: material() });
    const { width, height } = posterFormats[format];
    const image = await sharp(poster.image).metadata();
    const thumbnail = await sharp(poster.thumbnail).metadata();
    expect(image).toMatchObject({ format: "png", width, height, hasAlpha: false });
    expect(thumbnail).toMatchObject({ format: "png", width: 400, height: Math.round((400 * height) / width) });
    expect(poster).toMatchObject({ width, height, thumbnail_width: 400, thumbnail_height: thumbnail.height });
    expect(poster.image.length).toBeLessThan(120 * 1024);
    const { entropy } = await sharp(poster.image).stats();
    expect(entropy).toBeGreaterThan(0.3);
  });

  test("templates differ from each other", async () => {
    const posters = await Promise.all(
      posterTemplates.map((template) => renderer.render({ template, format: "square", material: material() })),
    );
    expect(new Set(posters.map(({ image }) => sha256(image))).size).toBe(posterTemplates.length);
  });
});

describe("determinism", () => {
  const input: PosterInput = {
    template: "lineup",
    format: "landscape",
    material: material({ title: "静かなインフラ 👩🏽‍🚀", speakers: [speaker("Amara", { photo }), ...crowd(4)] }),
  };

  test("the same input gives the same bytes, in another process too, which then ends by itself", async () => {
    const [first, second] = await Promise.all([renderer.render(input), renderer.render(input)]);
    expect(sha256(first.image)).toBe(sha256(second.image));
    const script = `
      const { createPosterRenderer } = await import(process.argv[1]);
      const input = JSON.parse(process.argv[2]);
      input.material.speakers[0].photo = Buffer.from(process.argv[3], "base64");
      const { image, thumbnail } = await createPosterRenderer().render(input);
      const { createHash } = await import("node:crypto");
      for (const bytes of [image, thumbnail]) console.log(createHash("sha256").update(bytes).digest("hex"));`;
    const plain = JSON.stringify(input, (key, value) => (key === "photo" ? null : value));
    const parameters = ["--input-type=module", "-e", script, rendererUrl, plain, Buffer.from(photo).toString("base64")];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    expect(stdout.trim().split("\n")).toEqual([sha256(first.image), sha256(first.thumbnail)]);
  });
});

const longSentence =
  "An exceedingly long title about distributed systems, their discontents, and the many ways in which teams of " +
  "all sizes have tried, failed, and tried again to tame them over twenty years of practice and research";
const hardMaterials: Record<string, PosterMaterial> = {
  "everything long": material({
    title: longSentence,
    event_name: longSentence,
    conference_name: longSentence,
    when: longSentence,
    where: longSentence,
    organization: { name: longSentence, logo: null },
    speakers: [speaker(longSentence, { title: longSentence, company: longSentence }), ...crowd(2)],
  }),
  "words without spaces": material({
    title: "W".repeat(80),
    speakers: [speaker("m".repeat(80)), speaker("W".repeat(80))],
  }),
  "ten lines": material({ title: Array.from({ length: 10 }, (_, line) => `Line ${line + 1} of ten`).join("\n") }),
  "thirty speakers": material({ speakers: crowd(30) }),
  "no speakers": material({ speakers: [] }),
  "nothing but emoji": material({
    title: "🔥👩🏽‍🚀🇫🇷🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(30),
    speakers: [speaker("👨‍👩‍👧‍👦"), speaker("🦄 Dash 👋🏿")],
  }),
  "East Asian scripts": material({
    title: "次世代エージェントの設計と運用について語る夜、そして分布式系统的未来",
    where: "東京都渋谷区神宮前一丁目",
    speakers: [speaker("山田太郎"), speaker("김민준"), speaker("王小明"), speaker("Nguyễn Thị Minh Khai")],
  }),
  "right to left and stacked scripts": material({
    title: "مستقبل الأنظمة الموزعة 2026",
    event_name: "העתיד של מערכות מבוזרות",
    where: "อนาคตของระบบกระจายศูนย์",
    speakers: [speaker("محمد الأحمد"), speaker("प्रिया शर्मा"), speaker("דנה לוי")],
  }),
  "hostile characters": material({
    title:
      "A\u0000\u0007B\u200b\u202eC\ufeff\u00ad\ud800\ue000 Z\u0337\u0322\u031b\u0353A\u0337\u0322L ߷ 𓀀 <b>&\"'</svg>",
    event_name: "\u200b",
    conference_name: "ሰላም",
    when: "",
    where: null,
    speakers: [speaker("ሰላም"), speaker(""), speaker("\u200b")],
    organization: { name: "\u0000", logo: null },
  }),
  nothing: material({
    title: "",
    event_name: "",
    conference_name: null,
    when: "",
    where: null,
    speakers: [],
    organization: { name: "", logo: null },
  }),
};

describe("hard input", () => {
  test.each(Object.keys(hardMaterials))(
    "%s: no line leaves its box or the canvas, none meets another",
    async (name) => {
      const problems: string[] = [];
      for (const design of everyDesign) {
        const { lines, width, height } = await composePoster({
          ...design,
          material: hardMaterials[name] ?? material(),
        });
        expect(lines.length).toBeGreaterThan(0);
        const where = `${design.template} ${design.format}`;
        for (const line of lines) {
          if (line.width > line.room + 1) problems.push(`${where}: too wide: ${line.text}`);
          if (!isInside(line, width, height, 18)) problems.push(`${where}: leaves the canvas: ${line.text}`);
        }
        for (const [one, other] of overlaps(lines)) problems.push(`${where}: "${one.text}" meets "${other.text}"`);
      }
      expect(problems).toEqual([]);
    },
  );

  test.each(["everything long", "words without spaces", "nothing but emoji"])(
    "%s: the drawn margins stay empty",
    async (name) => {
      const drawn = hardMaterials[name] ?? material();
      for (const template of ["headline", "lineup"] as const) {
        const { image, height } = await renderer.render({ template, format: "portrait", material: drawn });
        for (const left of [0, 1080 - 40]) {
          const band = await sharp(image).extract({ left, top: 0, width: 40, height }).raw().toBuffer();
          // The two flat colours of the background, and nothing else.
          expect(distinctRows(band, 40 * 3)).toBe(2);
        }
      }
    },
  );

  test("thirty speakers: some are shown and the rest are counted", async () => {
    for (const design of everyDesign.filter(({ format }) => format !== "story" && format !== "portrait")) {
      const { lines } = await composePoster({ ...design, material: hardMaterials["thirty speakers"] ?? material() });
      const text = lines.map((line) => line.text).join(" ");
      const counted = Number(/\+(\d+)/.exec(text)?.[1]);
      const shown = new Set(text.match(/Speaker Number \d+/g));
      expect([design, shown.size + counted]).toEqual([design, 30]);
    }
  });
});

describe("legible text", () => {
  const inter = { family: "inter", weight: 600 } as const;
  const read = (text: string) =>
    makeLegible(text, inter, hanStyleOf([text]))
      .units.map((unit) => unit.text)
      .join("");

  test.each([
    "Тихая инфраструктура",
    "Ελληνική γλώσσα",
    "Đặng Thùy Trâm ở Huế",
    "静かなインフラ、「夜」！",
    "分布式系统的未来",
    "臺灣開發者論壇",
    "조용한 인프라 뷁",
    "مستقبل الأنظمة",
    "שלום עולם",
    "สวัสดีชาวโลก",
    "नमस्ते दुनिया",
    "Ærøskøbing Łódź İzmir ħ ẞ",
  ])("%s is drawn as written", (text) => {
    expect(read(text)).toBe(text.normalize("NFC"));
  });

  test.each([
    ["Hello ߷ 𓀀 ሰላም world", "Hello world"],
    ["𝓕𝓪𝓷𝓬𝔂 ﬁt", "Fancy ﬁt"],
    ["Z̷̢̛͓A̷̢L̷G̷O", "ZALGO"],
    ["a\u0000b\u200bc\u202ed\ufeffe\u00adf\ud800g\ue000h", "abcdefgh"],
    ["one\r\n\ttwo\u2028three\u00a0four", "one two three four"],
    ["  \u200b ", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("an emoji is one drawing, however many code points it has; one without a drawing falls back to a part", () => {
    for (const emoji of ["👩🏽‍🚀", "🇫🇷", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦", "1️⃣", "❤️", "👋🏿", "🏳️‍🌈", "🧑🏿‍🦽"]) {
      const { units } = makeLegible(emoji, inter, "chinese");
      expect(units).toHaveLength(1);
      expect(units[0]?.artwork).toMatch(/^data:image\/svg/);
    }
    expect(makeLegible("🚀\u200d🍕", inter, "chinese").units[0]?.artwork).toMatch(/^data:image\/svg/);
  });

  test("whatever the text, each character that is kept has a glyph or a drawing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const { units, slices } = makeLegible(text, { family: "fraunces", weight: 600 }, "japanese");
        const covered = (character: string) => slices.some(({ font }) => font.has(character.codePointAt(0) ?? 0));
        return units.every((unit) => unit.artwork !== undefined || Array.from(unit.text).every(covered));
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test("a character that no font covers leaves no trace in the drawing", async () => {
    const draw = (title: string) =>
      composePoster({ template: "headline", format: "square", material: material({ title, event_name: "x" }) });
    expect((await draw("Hello ߷𓀀world")).svg).toBe((await draw("Hello world")).svg);
  });

  test.each([
    ["Amara Okonkwo", "AO"],
    ["maria de la cruz", "MC"],
    ["山田太郎", "山"],
    ["محمد الأحمد", "م"],
    ["(Ada) Lovelace-King", "AK"],
    ["🦄", "🦄"],
    ["", ""],
  ])("initials of %j are %j", (name, expected) => {
    expect(initialsOf(name)).toBe(expected);
  });
});

describe("colours", () => {
  const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

  test("text is readable on any colour", () => {
    fc.assert(
      fc.property(anyColor, anyColor, (background, wished) => {
        const ground = parseColor(background);
        const ink = parseColor(toHex(inkOn(ground)));
        const accent = parseColor(toHex(readable(parseColor(wished), ground, 4.5)));
        return contrast(ink, ground) >= 4.5 && contrast(accent, ground) >= 4.5;
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  test.each([
    ["#000000", "#000000"],
    ["#ffffff", "#ffffff"],
    ["#808080", "#808080"],
    ["not a colour", ""],
  ])("%s with %s still shows a headline", async (primary_color, secondary_color) => {
    const poster = await renderer.render({
      template: "headline",
      format: "landscape",
      material: material({ primary_color, secondary_color }),
    });
    const { channels } = await sharp(poster.image).extract({ left: 56, top: 150, width: 900, height: 280 }).stats();
    expect(Math.max(...channels.map(({ max, min }) => max - min))).toBeGreaterThan(100);
  });
});

describe("pictures", () => {
  const svg = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/x"/></svg>',
  );
  const bomb = Uint8Array.from(
    Buffer.from("89504e470d0a1a0a0000000d494844520000ea600000ea60080600000000000000", "hex"),
  );
  const withPhoto = (bytes: Uint8Array | null) =>
    composePoster({
      template: "lineup",
      format: "square",
      material: material({
        speakers: [speaker("Amara Okonkwo", { photo: bytes })],
        organization: { name: "Fjord", logo: bytes },
      }),
    });

  test("a photo is drawn", async () => {
    const drawn = await withPhoto(photo);
    expect(drawn.hasPictures).toBe(true);
    expect(drawn.svg).not.toBe((await withPhoto(null)).svg);
  });

  test.each([
    ["SVG", svg],
    ["text", new TextEncoder().encode("this is not a picture at all")],
    ["a truncated photo", photo.slice(0, 400)],
    ["a picture of billions of pixels", bomb],
    ["no bytes", new Uint8Array()],
  ])("%s gives initials and the organization's name", async (_, bytes) => {
    expect((await withPhoto(bytes)).svg).toBe((await withPhoto(null)).svg);
  });

  test("SVG is refused before anything decodes it", () => {
    expect(isDecodable(svg)).toBe(false);
    expect(isDecodable(photo)).toBe(true);
  });
});

describe("threads", () => {
  const poolLimits = { threads: 1, timeoutMs: 20_000, queueLimit: 2, idleMs: 20_000, heapMb: 32 };
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, threadId } from "node:worker_threads";
      parentPort.on("message", ({ id, input }) => {
        if (input === "hang") for (;;) {}
        if (input === "wait") return;
        if (input === "throw") throw new Error("broken");
        if (input === "grow") { const kept = []; for (;;) kept.push(new Array(10000).fill(id)); }
        parentPort.postMessage({ id, output: threadId });
      });`)}`,
  );

  test("a job past its time is rejected and its thread replaced", async () => {
    const pool = createWorkerPool<string, number>(script, { ...poolLimits, timeoutMs: 1500 });
    const before = await pool.run("answer");
    expect(await failureOf(pool.run("hang"))).toBe("timeout");
    expect(await pool.run("answer")).not.toBe(before);
    await pool.close();
  });

  test.each(["throw", "grow"])("a thread that dies (%s) fails its job only", async (input) => {
    const pool = createWorkerPool<string, number>(script, poolLimits);
    const [failure, answer] = await Promise.all([failureOf(pool.run(input)), pool.run("answer")]);
    expect(failure).toBe("failed");
    expect(answer).toBeGreaterThan(0);
    await pool.close();
  });

  test("more than the queue holds is refused at once; closing rejects what waits", async () => {
    const pool = createWorkerPool<string, number>(script, poolLimits);
    const waiting = ["wait", "answer", "answer"].map((input) => failureOf(pool.run(input)));
    expect(await failureOf(pool.run("answer"))).toBe("queue_full");
    await pool.close();
    expect(await Promise.all(waiting)).toEqual(["closed", "closed", "closed"]);
    expect(await failureOf(pool.run("answer"))).toBe("closed");
  });

  test("an idle thread ends and a new one takes over", async () => {
    const pool = createWorkerPool<string, number>(script, { ...poolLimits, idleMs: 0 });
    const first = await pool.run("answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pool.run("answer")).not.toBe(first);
    await pool.close();
  });

  test("a poster past its time says so", async () => {
    const hasty = createPosterRenderer({ timeoutMs: 1 });
    const error = await hasty
      .render({ template: "headline", format: "square", material: material() })
      .catch((caught) => caught);
    expect(posterRenderFailureOf(error)).toBe("timeout");
    expect(error.message).toContain("longer than 1 ms");
    await hasty.close();
  });

  test("the event loop is free while posters are drawn", async () => {
    const before = performance.eventLoopUtilization();
    const input: PosterInput = { template: "geometric", format: "square", material: material({ speakers: crowd(12) }) };
    await Promise.all([renderer.render(input), renderer.render(input)]);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});

async function failureOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => workerFailureOf(error),
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isInside(
  { left, top, width, height }: SetLine,
  canvasWidth: number,
  canvasHeight: number,
  margin: number,
): boolean {
  return (
    left >= margin && top >= margin && left + width <= canvasWidth - margin && top + height <= canvasHeight - margin
  );
}

function overlaps(lines: SetLine[]): [SetLine, SetLine][] {
  const meets = (a: SetLine, b: SetLine) =>
    Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top) > 1;
  return lines.flatMap((one, index) =>
    lines.slice(index + 1).flatMap((other): [SetLine, SetLine][] => (meets(one, other) ? [[one, other]] : [])),
  );
}

function distinctRows(pixels: Buffer, stride: number): number {
  const rows = new Set<string>();
  for (let at = 0; at < pixels.length; at += stride) rows.add(pixels.toString("latin1", at, at + stride));
  return rows.size;
}
