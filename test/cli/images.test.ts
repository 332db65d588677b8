import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { removeUnusedImages } from "../../src/modules/images/unused.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { type Make, makerOn } from "../support/make.js";
import { testOperator } from "../support/operator.js";
import { runCommand } from "./run-command.js";

const fresh = useFreshDatabase();
let make: Make;
beforeAll(async () => {
  make = makerOn(fresh.db);
});
beforeEach(async () => {
  await fresh.db.query(sql`delete from images`);
});

const newImage = () => ({
  hash: randomBytes(32).toString("hex"),
  contentType: "image/png" as const,
  bytes: randomBytes(1_000),
});

async function storedImage(hoursAgo: number) {
  const image = newImage();
  await imageStore(fresh.db).save([image]);
  await fresh.db.query(
    sql`update images set created_at = now() - ${hoursAgo} * interval '1 hour' where hash = ${image.hash}`,
  );
  return image;
}

const stored = async () =>
  (await fresh.db.query<{ hash: string }>(sql`select hash from images order by hash`)).map(({ hash }) => hash);

describe("svc images prune", () => {
  it("removes old images that no row refers to, after showing them, and records it", async () => {
    const conference = await make.conference();
    const event = await make.event(conference);
    const kept = {
      recent: await storedImage(14 * 24),
      poster: await storedImage(20 * 24),
      thumbnail: await storedImage(20 * 24),
      logo: await storedImage(20 * 24),
      byPublicUrl: await storedImage(20 * 24),
      banner: await storedImage(20 * 24),
      tile: await storedImage(20 * 24),
      photo: await storedImage(20 * 24),
    };
    const poster = await make.poster(event);
    await fresh.db.query(sql`
      update posters set image_url = ${imagePath(kept.poster)}, thumbnail_url = ${imagePath(kept.thumbnail)}
      where id = ${poster}`);
    const organization = await make.organization();
    await fresh.db.query(sql`
      update organizations set logo_url = ${imagePath(kept.logo)},
        logo_dark_url = ${`https://events.example.com${imagePath(kept.byPublicUrl)}`}
      where id = ${organization}`);
    await fresh.db.query(sql`
      update conferences set banner_thumbnail_url = ${imagePath(kept.banner)} where id = ${conference}`);
    await fresh.db.query(sql`update events set tile_image_url = ${imagePath(kept.tile)} where id = ${event}`);
    await fresh.db.query(
      sql`insert into speakers (event_id, name, photo_url) values (${event}, 'Ada', ${imagePath(kept.photo)})`,
    );
    const unused = [await storedImage(15 * 24 + 1), await storedImage(480)];
    const before = await stored();
    const shown = await runCommand(["images", "prune"], fresh.env);
    expect(shown.stdout).toBe(
      "There are 2 unused images, 0.0 MB. Nothing was changed: add --confirm to remove them.\n",
    );
    expect(await stored()).toEqual(before);
    const pruned = await runCommand(["images", "prune", "--confirm", "--json"], fresh.env);
    expect(JSON.parse(pruned.stdout)).toEqual({ removed: true, images: 2, bytes: 2_000 });
    expect(await stored()).toEqual(
      Object.values(kept)
        .map(({ hash }) => hash)
        .sort(),
    );
    const records = await fresh.db.query(sql`select via, result from mutation_records where tool = 'svc:images-prune'`);
    const hashes = unused.map(({ hash }) => hash).sort();
    expect(records).toEqual([
      { via: "command_line", result: { hashes: expect.arrayContaining(hashes), bytes: 2_000 } },
    ]);
    expect((await runCommand(["images", "prune", "--confirm"], fresh.env)).stdout).toBe("No image can be removed.\n");
  });

  it("removes more than one batch", async () => {
    await imageStore(fresh.db).save(Array.from({ length: 250 }, newImage));
    await fresh.db.query(sql`update images set created_at = now() - interval '20 days'`);
    expect(await removeUnusedImages(fresh.db, testOperator)).toEqual({ images: 250, bytes: 250_000 });
    expect(await stored()).toEqual([]);
  });

  it("keeps an old unused image that is stored again at the same time", async () => {
    const image = await storedImage(20 * 24);
    let removing: Promise<unknown> | undefined;
    await fresh.db.transaction(async (tx) => {
      await imageStore(tx).save([image]);
      removing = removeUnusedImages(fresh.db, testOperator);
      await sleep(100);
    });
    expect(await removing).toEqual({ images: 0, bytes: 0 });
    expect(await stored()).toEqual([image.hash]);
  });
});
