import { Resvg } from "@resvg/resvg-js";
import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { inkOn, toHex, white } from "../../contract/colors.js";
import { composePoster } from "../../src/poster-render/draw-poster.js";
import type { PosterMaterial } from "../../src/poster-render/poster-input.js";
import type { ShapedLine } from "../../src/poster-render/shape-text.js";
import { crowd, type Design, latinSquare, material, photo, speaker } from "./poster-material.js";

const longSentence =
  "An exceedingly long title about distributed systems, their discontents, and the many ways in which teams of " +
  "all sizes have tried, failed, and tried again to tame them over twenty years of practice and research";
const extremes: Record<string, PosterMaterial> = {
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

const composed = new Map<string, ReturnType<typeof composePoster>>();

/** Composes each extreme poster once, however many tests look at it. */
function composeExtreme(name: string, { template, format }: Design) {
  const key = `${name} ${template} ${format}`;
  const poster = composed.get(key) ?? composePoster({ template, format, material: extremes[name] ?? material() });
  composed.set(key, poster);
  return poster;
}

/** What a poster must look like, whatever is on it, in the given designs. Extremes are sampled in Latin squares of designs. */
export function describeLayout({ designs, squares }: { designs: Design[]; squares: (name: string) => number }): void {
  const designsFor = (name: string) => {
    const first = Object.keys(extremes).indexOf(name);
    return Array.from({ length: squares(name) }, (_, index) => latinSquare(first + index)).flat();
  };

  describe("extreme input", () => {
    test.each(Object.keys(extremes))(
      "%s: lines stay in their boxes and on the canvas, and do not overlap",
      async (name) => {
        const problems: string[] = [];
        for (const design of designsFor(name)) {
          const { lines, width, height } = await composeExtreme(name, design);
          const where = `${design.template} ${design.format}`;
          for (const line of lines) {
            if (line.width > line.room + 1) problems.push(`${where}: too wide: ${line.text}`);
            if (!isInside(line, width, height, 18)) problems.push(`${where}: leaves the canvas: ${line.text}`);
          }
          for (const [one, other] of overlaps(lines)) problems.push(`${where}: "${one.text}" overlaps "${other.text}"`);
        }
        expect(problems).toEqual([]);
      },
    );

    test.each(["everything long", "words without spaces", "nothing but emoji"])(
      "%s: the rendered margins stay empty",
      async (name) => {
        const flat = designsFor(name).filter(({ template }) => template === "headline" || template === "lineup");
        for (const design of flat) {
          const { pixels, width, height } = rasterize(await composeExtreme(name, design));
          const columns = 20;
          for (const left of [0, width - columns]) {
            // Only the two flat colors of the background.
            expect([design, distinctRows(pixels, { width, height, left, columns })]).toEqual([design, 2]);
          }
        }
      },
    );

    test("a character that no font covers leaves no trace", async () => {
      const draw = (title: string) =>
        composePoster({ template: "headline", format: "square", material: material({ title, event_name: "x" }) });
      expect((await draw("Hello ߷𓀀world")).svg).toBe((await draw("Hello world")).svg);
    });

    test("thirty speakers: some are shown and the rest are counted", async () => {
      for (const design of designs.filter(({ format }) => format !== "story" && format !== "portrait")) {
        const { lines } = await composeExtreme("thirty speakers", design);
        const text = lines.map((line) => line.text).join(" ");
        const counted = Number(/\+(\d+)/.exec(text)?.[1] ?? 0);
        const shown = new Set(text.match(/Speaker Number \d+/g));
        expect([design, shown.size + counted]).toEqual([design, 30]);
      }
    });
  });

  describe("speakers", () => {
    const withPhotos = (count: number) => people.slice(0, count).map((name) => speaker(name, { photo }));
    const people = ["Ada Byron", "Grace Hopper", "Mary Cartwright", "Emmy Noether", "Sofia Kovalevskaya", "Ida Rhodes"];
    const many = [...people, "Katherine Johnson", "Radia Perlman", "Lynn Conway", "Fran Allen"];

    test.each(designs)("are all portrayed or none, in the order of their names: $template, $format", async (design) => {
      for (const count of [1, 2, 3, 4, 5, 6]) {
        const { svg, lines } = await composePoster({ ...design, material: material({ speakers: withPhotos(count) }) });
        const portraits = svg.match(/<image /g)?.length ?? 0;
        expect([0, count]).toContain(portraits);
        const text = lines.map((line) => line.text).join(" ");
        for (const name of people.slice(0, count)) expect(text).toContain(name);
      }
    });

    test.each(designs)("have names of one size: $template, $format", async (design) => {
      const speakers = many.map((name) => speaker(name));
      const { lines } = await composePoster({ ...design, material: material({ speakers }) });
      const sizes = lines.filter(({ text }) => many.includes(text)).map(({ size }) => size);
      expect(new Set(sizes).size).toBeLessThanOrEqual(1);
    });

    test("without a photo get initials of the same outline as a photo", async () => {
      const compose = (bytes: Uint8Array | null) =>
        composePoster({
          template: "editorial",
          format: "square",
          material: material({ speakers: [speaker("Ada Byron", { photo: bytes })] }),
        });
      const outline = ({ svg }: { svg: string }) => /<clipPath[^>]*><path d="([^"]*)"/.exec(svg)?.[1];
      const [drawn, initials] = [await compose(photo), await compose(null)];
      expect(outline(drawn)).toBeDefined();
      expect(outline(initials)).toBe(outline(drawn));
      expect(initials.lines.map(({ text }) => text)).toContain("AB");
    });
  });

  describe("date, link and hosts", () => {
    const link = { url: "https://events.example.com/e/quiet?from=poster", call_to_action: "Scan to register" };

    test.each(designs)("days and times stay whole: $template, $format", async (design) => {
      for (const [when, parts] of [
        ["Thu 8 Dec 2026 · 18:30–20:00", ["Thu 8 Dec 2026", "18:30–20:00"]],
        ["Thu 8 Dec, 18:30 – Sat 10 Dec 2026, 20:00", ["Thu 8 Dec, 18:30 –", "Sat 10 Dec 2026, 20:00"]],
      ] as const) {
        const { lines } = await composePoster({ ...design, material: material({ when, link }) });
        const texts = lines.map(({ text }) => text);
        expect(texts.includes(when) || parts.every((part) => texts.includes(part))).toBe(true);
      }
    });

    test.each(designs)("a link is a QR code that can be scanned: $template, $format", async (design) => {
      for (const speakers of [[], crowd(5)]) {
        const poster = await composePoster({ ...design, material: material({ link, speakers }) });
        const fitTo = { mode: "width", value: poster.width } as const;
        const drawn = new Resvg(poster.svg, { font: { loadSystemFonts: false }, logLevel: "off", fitTo }).render();
        const image = { width: drawn.width, height: drawn.height, data: new Uint8Array(drawn.pixels) };
        expect(decodeQR(image)).toBe(link.url);
        expect(poster.lines.map(({ text }) => text).join(" ")).toContain("Scan to register");
      }
    });

    test.each(designs)("co-hosts are named: $template, $format", async (design) => {
      const co_hosts = ["Tidewater", "Harbor"];
      const { lines } = await composePoster({ ...design, material: material({ co_hosts }) });
      expect(lines.map(({ text }) => text).join(" ")).toContain("with Tidewater, Harbor");
    });
  });

  describe("a right-to-left poster", () => {
    const hebrew = {
      title: "העתיד של מערכות",
      event_name: "הרצאות ערב",
      where: "אולם הנמל",
      speakers: [speaker("דנה לוי", { photo }), speaker("Amara Okonkwo", { photo })],
    };

    test.each(designs)("is the mirror image of a left-to-right one: $template, $format", async (design) => {
      const { lines, width } = await composePoster({ ...design, material: material(hebrew) });
      const [first, second] = ["דנה", "Amara"].map((name) => lines.find(({ text }) => text.startsWith(name)));
      if (first === undefined || second === undefined) throw new Error("a name is missing");
      // The first speaker is to the right of the second, or both are aligned at the right.
      const isBeside = Math.abs(first.top - second.top) < 2;
      if (isBeside) expect(first.left).toBeGreaterThan(second.left);
      else expect(Math.abs(first.left + first.width - second.left - second.width)).toBeLessThan(2);
      const title = lines.filter(({ text }) => hebrew.title.includes(text));
      const centered = design.template === "editorial";
      const middle = centered && design.format === "landscape" ? width - 385 : width / 2;
      for (const { left, width: own } of title) {
        if (centered) expect(Math.abs(left + own / 2 - middle)).toBeLessThan(3);
        else expect(left + own / 2).toBeGreaterThan(width / 2);
      }
    });

    test("shows photos as they are", async () => {
      const draw = (title: string) =>
        composePoster({
          template: "lineup",
          format: "square",
          material: material({ ...hebrew, title, event_name: title, conference_name: null }),
        });
      const { svg } = await draw("ערב");
      const flip = 'scale\\(-1 1\\)">';
      // Mirrored with the poster, and once more by itself.
      expect(svg).toMatch(new RegExp(`^<svg[^>]*><g transform="translate\\(1080 0\\) ${flip}`));
      expect(svg.match(new RegExp(`<g transform="translate\\([\\d.]+ 0\\) ${flip}<clipPath`, "g"))).toHaveLength(2);
    });
  });

  describe("pictures", () => {
    const withPhoto = (bytes: Uint8Array | null) =>
      composePoster({
        template: "lineup",
        format: "landscape",
        material: material({
          speakers: [speaker("Amara Okonkwo", { photo: bytes })],
          organization: { name: "Fjord", logo: bytes },
        }),
      });

    test("falls back to initials and the organization's name when a picture cannot be decoded", async () => {
      const without = await withPhoto(null);
      expect((await withPhoto(photo)).svg).not.toBe(without.svg);
      expect((await withPhoto(photo.slice(0, 400))).svg).toBe(without.svg);
    });

    test("puts a logo that would be invisible on a tile on which it is not", async () => {
      const tileFor = async (color: string) => {
        const disc = `<svg xmlns="http://www.w3.org/2000/svg"><circle cx="50" cy="50" r="50" fill="${color}"/></svg>`;
        const { svg } = await composePoster({
          template: "headline",
          format: "landscape",
          material: material({
            primary_color: color,
            secondary_color: color,
            organization: { name: "Fjord", logo: new Uint8Array(await sharp(Buffer.from(disc)).png().toBuffer()) },
          }),
        });
        return /rx="12" fill="(#\w+)"/.exec(svg)?.[1];
      };
      expect([await tileFor("#ffffff"), await tileFor("#000000")]).toEqual([inkOn(white), white].map(toHex));
    });
  });

  describe("colors", () => {
    test.each([
      ["#000000", "#000000"],
      ["#ffffff", "#ffffff"],
      ["#808080", "#808080"],
      ["not a color", ""],
    ])("the headline is visible on %j with %j", async (primary_color, secondary_color) => {
      const poster = await composePoster({
        template: "headline",
        format: "landscape",
        material: material({ primary_color, secondary_color }),
      });
      const { pixels, width, height } = rasterize(poster);
      const { channels } = await sharp(pixels, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .extract({ left: 28, top: 75, width: 450, height: 140 })
        .stats();
      expect(Math.max(...channels.map(({ max, min }) => max - min))).toBeGreaterThan(100);
    });
  });
}

/** At half size, without encoding. */
function rasterize({ svg, width }: { svg: string; width: number }): { pixels: Buffer; width: number; height: number } {
  const fitTo = { mode: "width", value: width / 2 } as const;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off", fitTo }).render();
  return { pixels: drawn.pixels, width: drawn.width, height: drawn.height };
}

function isInside(
  { left, top, width, height }: ShapedLine,
  canvasWidth: number,
  canvasHeight: number,
  margin: number,
): boolean {
  return (
    left >= margin && top >= margin && left + width <= canvasWidth - margin && top + height <= canvasHeight - margin
  );
}

function overlaps(lines: ShapedLine[]): [ShapedLine, ShapedLine][] {
  const meets = (a: ShapedLine, b: ShapedLine) =>
    Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top) > 1;
  return lines.flatMap((one, index) =>
    lines.slice(index + 1).flatMap((other): [ShapedLine, ShapedLine][] => (meets(one, other) ? [[one, other]] : [])),
  );
}

/** How many different rows of RGBA pixels a band of columns has. */
function distinctRows(pixels: Buffer, band: { width: number; height: number; left: number; columns: number }): number {
  const rows = Array.from({ length: band.height }, (_, row) => {
    const start = (row * band.width + band.left) * 4;
    return pixels.toString("latin1", start, start + band.columns * 4);
  });
  return new Set(rows).size;
}
