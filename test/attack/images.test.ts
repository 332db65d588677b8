import { hash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Database } from "../../src/infra/database/db.js";
import {
  createImageReader,
  type Image,
  imagePath,
  imageReadLimits,
  imageStore,
} from "../../src/modules/images/store.js";
import { keptBytes } from "../support/memory.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

/** Images are public: whatever anyone requests, other callers are served and memory stays bounded. */

const mebibyte = 1024 * 1024;

function imageOf(bytes: Buffer): Image {
  return { hash: hash("sha256", bytes, "hex"), contentType: "image/png", bytes };
}

const unknownPath = () => imagePath({ hash: randomBytes(32).toString("hex"), contentType: "image/png" });

describe("conditional requests", () => {
  const { service, make } = useService();

  it("are answered from the path alone", async () => {
    const path = unknownPath();
    const etag = `"${path.slice("/images/".length, -".png".length)}"`;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const reply = await service.call(path, { headers: { "if-none-match": header } });
      expect(reply.status).toBe(304);
      expect(reply.headers.get("etag")).toBe(etag);
      expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
  });

  it("for anything else read the image", async () => {
    for (const header of ["*", '"other"', "", unknownPath()]) {
      expect((await service.call(unknownPath(), { headers: { "if-none-match": header } })).status).toBe(404);
    }
    const file = await make.image();
    const reply = await service.call(`/images/${file}`, { headers: { "if-none-match": '"other"' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("etag")).toBe(`"${file.slice(0, 64)}"`);
    expect((await service.call(`/images/${file}`, { headers: { "if-none-match": "*" } })).status).toBe(304);
  });
});

describe("reads", () => {
  const limits = { ...imageReadLimits, concurrentReads: 2, waitingReads: 3 };
  /** The reads of images that have started. Each waits until it is released. */
  const started: (() => void)[] = [];
  const { service, db, make } = useService(() =>
    startService({}, undefined, undefined, {
      images: limits,
      wrapDatabase: holdImageReads,
      oneProcess: "reads of images are limited in each process",
    }),
  );

  function holdImageReads(real: Database): Database {
    return {
      ...real,
      async query(statement, name) {
        if (statement.text.includes("from images")) await new Promise<void>((resolve) => started.push(resolve));
        return real.query(statement, name);
      },
    };
  }

  async function finish(requests: Promise<unknown>[]): Promise<void> {
    const done = Promise.all(requests);
    let isDone = false;
    done.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (const release of started.splice(0)) release();
      await new Promise(setImmediate);
    }
    await done;
  }

  it("are bounded, and others are served meanwhile", async () => {
    const key = await make.superAdminKey();
    const replies = Array.from({ length: 50 }, () => service.call(unknownPath()));
    const settled = { 404: 0, 503: 0 };
    for (const reply of replies) reply.then(({ status }) => settled[status as 404 | 503]++);
    await expect.poll(() => settled[503]).toBe(45);
    expect(started).toHaveLength(limits.concurrentReads);
    expect((await service.call("/api/svc/ping", { key })).status).toBe(200);
    await finish(replies);
    expect(settled).toEqual({ 404: 5, 503: 45 });
    const refused = (await Promise.all(replies)).find(({ status }) => status === 503);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(refused?.json.error).toBe("Too many images are being read right now: try again in a second");
  });

  it("of one image are shared, and later requests need none", async () => {
    const path = `/images/${await make.image()}`;
    const replies = Array.from({ length: 50 }, () => service.call(path));
    await expect.poll(() => started.length).toBe(1);
    // Enough for the other requests to arrive.
    for (let round = 0; round < 20; round += 1) await service.call("/api/svc");
    expect(started).toHaveLength(1);
    await finish(replies);
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect((await service.call(path)).status).toBe(200);
    expect(started).toHaveLength(0);
  });

  it("never return an image under another path", async () => {
    const file = await make.image("image/webp");
    const wrong = service.call(`/images/${file.replace(".webp", ".png")}`);
    await finish([wrong]);
    expect((await wrong).status).toBe(404);
  });

  it("of an image that is stored later find it", async () => {
    const image = imageOf(randomBytes(40));
    const before = service.call(imagePath(image));
    await finish([before]);
    expect((await before).status).toBe(404);
    await imageStore(db).save([image]);
    const after = service.call(imagePath(image));
    await finish([after]);
    expect((await after).status).toBe(200);
  });
});

it("the cache is bounded in bytes", async () => {
  const cacheBytes = 4 * mebibyte;
  let reads = 0;
  const find = createImageReader(
    {
      async find(wanted) {
        reads += 1;
        return { hash: wanted, contentType: "image/png", bytes: Buffer.alloc(mebibyte, 1) };
      },
    },
    { ...imageReadLimits, cacheBytes },
  );
  const before = keptBytes();
  const paths = Array.from({ length: 100 }, unknownPath);
  for (const path of paths) await find(path);
  expect(keptBytes() - before).toBeLessThan(2 * cacheBytes);
  expect(reads).toBe(100);
  for (const path of paths.slice(-3)) await find(path);
  expect(reads).toBe(100);
  await find(paths[0] ?? "");
  expect(reads).toBe(101);
});
