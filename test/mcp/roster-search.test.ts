import { readdir, readFile } from "node:fs/promises";
import sql, { raw } from "sql-template-tag";
import { describe, expect, it } from "vitest";
import type { Queryable } from "../../src/infra/database/db.js";
import { selectRoster } from "../../src/modules/registrations/roster-store.js";
import { makerOn } from "../support/make.js";
import { anyGuest, guestNumber, useRoster } from "./roster-setup.js";

const { db, addGuests, list } = useRoster();

describe("search in a roster", () => {
  const named = (name: string, n: number) => ({ ...guestNumber(n), name, email: `g${n}@mail.test` });
  const search = async (query: string) => (await list({ query }, 200)).map(({ name }) => name);

  it("ignores case, diacritics, apostrophes, the order of words and how characters are encoded", async () => {
    const names = [
      "Gonçalo de Almeida",
      "Joa\u0303o Goncalves",
      "Łukasz Żółć",
      "Søren Ærø",
      "Đỗ Thị Ngọc",
      "IŞIL Yıldız",
      "Jörg Weiß",
      "Þórður Œuvré",
      "Siobhán O’Brien",
      "Conor O'Neill",
      "Οδυσσεύς Ξένη",
      "ДМИТРИЙ Ёлкин",
      "김민준",
      "ガブリエル",
      "Ｆｕｌｌ Width",
    ];
    await addGuests(names.map(named));
    const found: Record<string, string[]> = {
      goncal: ["Gonçalo de Almeida", "Joa\u0303o Goncalves"],
      "gonc\u0327alo": ["Gonçalo de Almeida"],
      "ALMEIDA GONÇALO": ["Gonçalo de Almeida"],
      "meida  onça": ["Gonçalo de Almeida"],
      "almeida\u00a0goncalo": ["Gonçalo de Almeida"],
      "almeida joao": [],
      joão: ["Joa\u0303o Goncalves"],
      joao: ["Joa\u0303o Goncalves"],
      "lukasz zolc": ["Łukasz Żółć"],
      ŁUKASZ: ["Łukasz Żółć"],
      "soren aero": ["Søren Ærø"],
      "SØREN ÆRØ": ["Søren Ærø"],
      "do thi ngoc": ["Đỗ Thị Ngọc"],
      "isil yildiz": ["IŞIL Yıldız"],
      ışıl: ["IŞIL Yıldız"],
      "jorg weiss": ["Jörg Weiß"],
      WEIẞ: ["Jörg Weiß"],
      "thordur oeuvre": ["Þórður Œuvré"],
      obrien: ["Siobhán O’Brien"],
      "o'brien": ["Siobhán O’Brien"],
      "brien o": ["Siobhán O’Brien"],
      ...Object.fromEntries(
        ["'", "’", "‘", "ʼ", "ʻ", "`", "´", "′", "＇"].map((a) => [`o${a}neill`, ["Conor O'Neill"]]),
      ),
      ΟΔΥΣΣΕΥΣ: ["Οδυσσεύς Ξένη"],
      ξενη: ["Οδυσσεύς Ξένη"],
      "дмитрий елкин": ["ДМИТРИЙ Ёлкин"],
      민준: ["김민준"],
      기: [],
      ガ: ["ガブリエル"],
      カ: [],
      full: ["Ｆｕｌｌ Width"],
      "g1@mail.test": ["Joa\u0303o Goncalves"],
      "joao g1@": ["Joa\u0303o Goncalves"],
      "goncalo g1@": [],
    };
    for (const [query, expectedNames] of Object.entries(found)) {
      expect((await search(query)).sort(), query).toEqual(expectedNames.sort());
    }
  });

  it("finds a word in the name or in the e-mail address, not across the two or across guests", async () => {
    await addGuests([guestNumber(0), guestNumber(1)]);
    for (const query of ["Dykguest0", "comAda", "0@example.comAda", "comBO"]) {
      expect(await list({ query }, 50), query).toEqual([]);
    }
    expect(await search("Dyk guest0")).toEqual(["Ada van Dyk"]);
  });

  it("finds nothing for a query of ignored characters only", async () => {
    await addGuests([named("Conor O'Neill", 1)]);
    for (const query of ["'", "’ ´", "\u0301", "¨"]) expect(await search(query), query).toEqual([]);
    expect(await search("' conor")).toEqual(["Conor O'Neill"]);
  });

  it("accepts names longer than an index entry, also after normalization", async () => {
    const squared = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x3300 + ((n * 37) % 88))).join("");
    const tooLong = Array.from({ length: 3000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join(
      "",
    );
    await addGuests([named("ﷺ".repeat(200), 1), named(squared, 2), named("ß".repeat(200), 3), named(tooLong, 4)]);
    expect(await search("g2@mail.test")).toEqual([squared]);
    expect(await search("アパート")).toEqual([squared]);
    expect(await search("g4@mail.test")).toEqual([tooLong]);
    expect(await search("ss g3")).toEqual(["ß".repeat(200)]);
  });

  it("covers events and registrations that were stored before the migration", async () => {
    const folder = new URL("../../migrations/", import.meta.url);
    const names = (await readdir(folder)).filter((name) => name < "0005").sort();
    const [last, ...earlier] = names.reverse();
    expect(last).toBe("0004_search_text.sql");
    const apply = async (tx: Queryable, name: string) => tx.query(raw(await readFile(new URL(name, folder), "utf8")));
    const done = new Error("rolled back");
    const migration = db.transaction(async (tx) => {
      // A schema of its own, where no migration has run yet.
      await tx.query(sql`create schema before_search_text`);
      await tx.query(sql`set local search_path to before_search_text`);
      for (const name of earlier.reverse()) await apply(tx, name);
      const make = makerOn(tx);
      const event = await make.event(await make.conference());
      await addGuests([named("Gonçalo de Almeida", 1), named("Conor O’Neill", 2)], event, tx);
      await apply(tx, "0004_search_text.sql");
      await addGuests([named("Łukasz Żółć", 3)], event, tx);
      const found = async (query: string) =>
        (await tx.query<{ item: string }>(selectRoster(event, { ...anyGuest, query }, null, 9))).map(
          ({ item }) => JSON.parse(item).name,
        );
      expect(await found("almeida goncalo")).toEqual(["Gonçalo de Almeida"]);
      expect(await found("oneill")).toEqual(["Conor O’Neill"]);
      expect(await found("lukasz")).toEqual(["Łukasz Żółć"]);
      const [stored] = await tx.query(sql`
        select pending, waitlisted, (select convert_from(search_text, 'UTF8') from events) as event_text
        from rosters where event_id = ${event}`);
      expect(stored).toEqual({ pending: 1, waitlisted: 1, event_text: "test event" });
      throw done;
    });
    await expect(migration).rejects.toBe(done);
  });
});
