import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../contract/errors.js";
import { countRemovableImages, removeExpiredUploads, removeUnusedImages } from "../../src/modules/images/unused.js";
import { createUploads, uploadLimits } from "../../src/modules/images/uploads.js";
import { removeUser } from "../../src/modules/users/remove-user.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { testOperator } from "../support/operator.js";
import { createRandom, type Random } from "../support/random.js";
import { useService } from "../support/setup.js";

/** Uploads stay within what a process and an organization may hold, whoever sends what and how much of it at once. */

const noLimit = { consoleLimit: 100_000 };

/** As incompressible as photos are. */
function noise(width: number, height: number) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

function upload(service: ConsoleService, organizationId: string, cookie: string, bytes: Buffer, use = "photo") {
  const headers = { "content-type": "image/png" };
  return service.post(`organizations/${organizationId}/images?use=${use}`, cookie, bytes, { headers });
}

describe("many at once", () => {
  const { service } = useService(() =>
    startConsole({ oneProcess: "uploads are limited in each process" }, { ...noLimit }),
  );

  it("of one organization: some wait, the rest are told to come back, and others are served meanwhile", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const other = await service.newOrganization();
    const bytes = await noise(700, 700).png().toBuffer();
    const share = uploadLimits.runningPerOrganization + uploadLimits.waitingPerOrganization;
    const sent = share + 10;
    const replies = Array.from({ length: sent }, () => upload(service, organizationId, owner, bytes));
    await delay(50);
    expect((await service.get("session", owner)).status).toBe(200);
    const small = await noise(20, 20).png().toBuffer();
    expect((await upload(service, other.organizationId, other.owner, small)).status).toBe(201);
    const settled = await Promise.all(replies);
    const accepted = settled.filter(({ status }) => status === 201);
    const refused = settled.filter(({ status }) => status === 503);
    expect(accepted.length + refused.length).toBe(sent);
    expect(accepted.length).toBeGreaterThanOrEqual(share);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toBe("5");
    expect(refused[0]?.json.error).toContain(`Your organization is uploading ${share} pictures`);
    expect((await upload(service, organizationId, owner, bytes)).status).toBe(201);
  });

  it("no more bodies are read than the limits say, and none of those that are refused", async () => {
    const uploads = createUploads({ running: 2, waiting: 2, runningPerOrganization: 1, waitingPerOrganization: 1 });
    const picture = await noise(10, 10).png().toBuffer();
    let reading = 0;
    const release: (() => void)[] = [];
    const send = (organization: string) =>
      uploads.take(organization, "photo", {
        async read() {
          reading += 1;
          await new Promise<void>((resolve) => release.push(resolve));
          return picture;
        },
        async save() {},
      });
    const accepted = ["a", "a", "b", "c"].map(send);
    await expect(send("a")).rejects.toThrow("Your organization is uploading 2 pictures");
    await expect(send("d")).rejects.toThrow("Too many pictures of all organizations");
    await expect.poll(() => reading).toBe(2);
    expect(uploads.usage()).toMatchObject({ active: 2, queued: 2, refused: { busy: 2 } });
    for (let done = 0; done < accepted.length; done += 1) {
      await expect.poll(() => release.length).toBeGreaterThan(0);
      expect(release.length).toBeLessThanOrEqual(2);
      release.shift()?.();
    }
    await Promise.all(accepted);
  });
});

it("are counted by why they are refused", async () => {
  const uploads = createUploads({ running: 1, waiting: 0, runningPerOrganization: 1, waitingPerOrganization: 0 });
  const picture = await noise(10, 10).png().toBuffer();
  const send = (body: Buffer | ServiceError, quota?: ServiceError) =>
    uploads.take("a", "photo", {
      async read() {
        if (body instanceof ServiceError) throw body;
        return body;
      },
      async save() {
        if (quota !== undefined) throw quota;
      },
    });
  const first = send(picture);
  await expect(send(picture)).rejects.toThrow("Your organization is uploading");
  await first;
  await expect(send(Buffer.from("text"))).rejects.toThrow("is not a PNG");
  await expect(send(new ServiceError("too_large", "too large"))).rejects.toThrow();
  await expect(send(picture, new ServiceError("conflict", "quota"))).rejects.toThrow();
  await expect(send(new ServiceError("unavailable", "no database"))).rejects.toThrow();
  expect(uploads.usage().refused).toEqual({ busy: 1, not_a_picture: 1, too_large: 1, quota: 1 });
});

describe("clients that stop sending", () => {
  const { service } = useService(() =>
    startConsole(
      {
        uploads: createUploads({ running: 1, waiting: 8, runningPerOrganization: 1, waitingPerOrganization: 8 }),
        http: { stalledMs: 500 },
        oneProcess: "uploads are limited in each process",
      },
      noLimit,
    ),
  );

  it("give up their turn, while they are read and while they wait", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const head = [
      `POST /api/console/organizations/${organizationId}/images?use=photo HTTP/1.1`,
      `host: ${new URL(service.url).host}\r\norigin: ${service.url}\r\ncookie: ${owner}`,
      "content-type: image/png\r\ncontent-length: 1000\r\n\r\n",
    ].join("\r\n");
    const stopped = [1, 2].map(() => connect(Number(new URL(service.url).port), "127.0.0.1"));
    for (const socket of stopped) socket.write(head);
    await delay(200);
    stopped[1]?.destroy();
    const reply = await upload(service, organizationId, owner, await noise(20, 20).png().toBuffer());
    expect(reply.status, reply.text).toBe(201);
    stopped[0]?.destroy();
  });
});

describe("the quota", () => {
  const { service, db } = useService(() => startConsole({}, { ...noLimit, imageQuotaBytes: 300_000 }));

  const usedBytes = async (organizationId: string) => {
    const [row] = await db.query<{ bytes: number }>(sql`
      select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from images
      where hash in (select hash from image_uploads where organization_id = ${organizationId})`);
    return row?.bytes ?? 0;
  };

  it("holds when several are uploaded at once, and counts what nothing shows", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const pictures = await Promise.all(Array.from({ length: 5 }, () => noise(400, 400).png().toBuffer()));
    const replies = await Promise.all(pictures.map((bytes) => upload(service, organizationId, owner, bytes)));
    const statuses = replies.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.json).toMatchObject({
      code: "conflict",
      details: { quota_bytes: 300_000, used_bytes: expect.any(Number), added_bytes: expect.any(Number) },
    });
    expect(await usedBytes(organizationId)).toBeLessThanOrEqual(300_000);
    const other = await service.newOrganization();
    expect((await upload(service, other.organizationId, other.owner, pictures[0] ?? Buffer.alloc(0))).status).toBe(201);
  });

  it("is free again when unused uploads are pruned; what is shown stays", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const [logo, other] = await Promise.all([1, 2].map(() => noise(100, 100).png().toBuffer()));
    const shown = await upload(service, organizationId, owner, logo ?? Buffer.alloc(0), "logo");
    await upload(service, organizationId, owner, other ?? Buffer.alloc(0), "logo");
    const change = await service.change(organizationId, owner, "set_organization_logo_urls", {
      logo_url: shown.json.url,
    });
    expect(change.status, change.text).toBe(200);
    await db.query(sql`update images set created_at = now() - interval '20 days'`);
    expect((await countRemovableImages(db)).images).toBeGreaterThan(0);
    await removeUnusedImages(db, testOperator);
    expect(await usedBytes(organizationId)).toBe(shown.json.size);
    const { pathname } = new URL(shown.json.url);
    expect((await fetch(service.url + pathname)).status).toBe(200);
  });

  it("is free again by itself: uploads that nothing has shown for some time are removed", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const send = async () => {
      const { status, json } = await upload(
        service,
        organizationId,
        owner,
        await noise(60, 60).png().toBuffer(),
        "logo",
      );
      expect(status).toBe(201);
      return { url: json.url as string, hash: /[0-9a-f]{64}/.exec(json.url)?.[0] ?? "" };
    };
    const setLogo = async (logo_url: string | null) => {
      const changed = await service.change(organizationId, owner, "set_organization_logo_urls", { logo_url });
      expect(changed.status, changed.text).toBe(200);
      return changed.json.record_id as string;
    };
    const [shown, replaced, expired] = [await send(), await send(), await send()];
    await setLogo(replaced.url);
    await db.query(sql`update images set created_at = now() - interval '20 days'`);
    const recent = await send();
    const record_id = await setLogo(shown.url);
    await db.query(sql`update images set created_at = now() - interval '20 days' where hash = ${shown.hash}`);
    const drawn = randomBytes(32).toString("hex");
    await db.query(sql`
      insert into images (hash, content_type, bytes, created_at)
      values (${drawn}, 'image/png', 'drawn', now() - interval '20 days')`);
    const waiting = () =>
      db.query(sql`
        select from images where hash in (select hash from image_uploads) and created_at < now() - interval '15 days'`);
    while ((await waiting()).length > 0) await removeExpiredUploads(service.db);
    const left = await db.query<{ hash: string }>(sql`
      select hash from images where hash = any(${[shown, replaced, expired, recent].map(({ hash }) => hash)})`);
    // What was replaced just now stays, however long it was shown before.
    const kept = [shown, replaced, recent].map(({ hash }) => hash);
    expect(left.map(({ hash }) => hash).sort()).toEqual(kept.sort());
    expect(await db.query(sql`select from images where hash = ${drawn}`)).toHaveLength(1);
    const undone = await service.change(organizationId, owner, "revert_change", { record_id });
    expect(undone.status, undone.text).toBe(200);
  });

  it("is freed once, however many processes try at the same time", async () => {
    const { organizationId, owner } = await service.newOrganization();
    for (let sent = 0; sent < 3; sent += 1) {
      await upload(service, organizationId, owner, await noise(60, 60).png().toBuffer());
    }
    await db.query(sql`
      update images set created_at = now() - interval '20 days'
      where hash in (select hash from image_uploads where organization_id = ${organizationId})`);
    const removed = await Promise.all([1, 2, 3, 4].map(() => removeExpiredUploads(service.db)));
    expect(removed.reduce((sum, { images }) => sum + images, 0)).toBe(3);
    expect(await usedBytes(organizationId)).toBe(0);
  });

  it("goes on counting when the person who uploaded is removed", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    const colleague = await service.newOrganization();
    const reply = await upload(service, organizationId, owner, await noise(50, 50).png().toBuffer());
    const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${ownerId}`);
    await db.query(
      sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${colleague.ownerId}, 'owner')`,
    );
    await removeUser(db, testOperator, user?.email ?? "");
    const rows = await db.query(sql`select uploaded_by from image_uploads where organization_id = ${organizationId}`);
    expect(rows).toEqual([{ uploaded_by: null }]);
    expect(await usedBytes(organizationId)).toBe(reply.json.size);
  });
});

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

describe("damaged pictures", () => {
  const { service, db } = useService(() => startConsole({}, { ...noLimit, imageQuotaBytes: 1_000_000_000 }));

  it(`of seed ${seed} are stored as pictures or refused, and nothing fails`, { timeout: 120_000 }, async () => {
    const random = createRandom(seed);
    const { organizationId, owner } = await service.newOrganization();
    const whole = await Promise.all(
      (["png", "jpeg", "webp"] as const).map((format) => noise(64, 48).toFormat(format).toBuffer()),
    );
    for (let sent = 0; sent < 75; sent += 1) {
      const bytes = damaged(random, random.pick(whole));
      const { status, text, json } = await upload(service, organizationId, owner, bytes);
      expect([201, 400], text).toContain(status);
      if (status === 400) continue;
      const hash = /[0-9a-f]{64}/.exec(json.url)?.[0];
      const [image] = await db.query<{ bytes: Buffer }>(sql`select bytes from images where hash = ${hash}`);
      const { format, width, height } = await sharp(image?.bytes).metadata();
      expect({ format, width, height }).toEqual({ format: "webp", width: json.width, height: json.height });
    }
  });
});

/** A few bytes changed, the end cut off or something added. */
function damaged(random: Random, whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  for (let changes = random.below(4); changes > 0; changes -= 1) {
    // The header most often: it has the sizes.
    bytes[random.below(random.chance(0.5) ? 64 : bytes.length)] = random.below(256);
  }
  if (random.chance(0.3)) return bytes.subarray(0, random.below(bytes.length));
  return random.chance(0.3) ? Buffer.concat([bytes, randomBytes(random.below(100))]) : bytes;
}
