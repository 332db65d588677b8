import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { comparedGuests } from "../../src/modules/registrations/roster-store.js";
import { useDatabase, useEvent } from "../support/setup.js";

const { db, make } = useDatabase();
const { fixture, tools } = useEvent(db);

const addGuest = (name: string, email: string, status = "pending") =>
  db.query(sql`
    insert into registrations (event_id, name, email, status, registered_at)
    values (${fixture.eventId}, ${name}, ${email}, ${status}, now())`);

describe("a search for guests", () => {
  const search = (query: string, filter = {}) => tools.run("list_event_registrations", { query, ...filter });
  const names = (rows: { name: string }[] | undefined) => rows?.map(({ name }) => name);

  it("without a match says so and suggests similar names", async () => {
    await addGuest("Gonçalo Antunes", "ga@example.com", "approved");
    await addGuest("Łukasz Jabłoński", "lj@example.com");
    await addGuest("Ada Lovelace", "ada.lovelace@mail.example");
    const suggested: Record<string, string[]> = {
      "gonsalo antunes": ["Gonçalo Antunes"],
      "Anutnes, Gonçalo": ["Gonçalo Antunes"],
      goncallo: ["Gonçalo Antunes"],
      "Lukas Jablonsky": ["Łukasz Jabłoński"],
      "ada.lovelacee": ["Ada Lovelace"],
    };
    for (const [query, expected] of Object.entries(suggested)) {
      const found = await search(query);
      expect(found.items).toEqual([]);
      expect(names(found.suggestions), query).toEqual(expected);
      expect(found.message).toBe("No guest matches; suggestions has similar names, whatever the other filters.");
    }
    const [guest] = (await search("goncallo")).suggestions;
    expect(guest).toEqual({
      id: expect.any(String),
      name: "Gonçalo Antunes",
      email: "ga@example.com",
      status: "approved",
    });
    const filtered = await search("antunes", { status: "pending" });
    expect(names(filtered.suggestions)).toEqual(["Gonçalo Antunes"]);
  });

  it("with nothing similar says so", async () => {
    for (const query of ["zebedee quux", "'", "%", "\u0301"]) {
      expect(await search(query), query).toMatchObject({
        items: [],
        suggestions: [],
        message: "No guest matches; no name is similar: try fewer or other words.",
      });
    }
  });

  it("suggests nobody of another event, and at most five", async () => {
    const other = await make.event(await make.conference(), { hosts: [fixture.organizationId] });
    await db.query(sql`
      insert into registrations (event_id, name, email) values (${other}, 'Gonçalo Antunes', 'other@example.com')`);
    expect((await search("gonsalo antunes")).suggestions).toEqual([]);
    for (let n = 0; n < 7; n++) await addGuest("Gonçalo Antunes", `g${n}@example.com`);
    expect((await search("gonsalo antunes")).suggestions).toHaveLength(5);
  });

  it("is bounded on a large roster and for a long query", async () => {
    await db.query(sql`
      insert into registrations (event_id, name, email, registered_at)
      select ${fixture.eventId}, 'Gast ' || md5(n::text), n || '@mail.test', timestamptz '2020-01-01' + n * interval '1 s'
      from generate_series(1, ${comparedGuests + 2_000}) n`);
    await addGuest("Gonçalo Antunes", "ga@example.com");
    // Registered too late to be compared.
    expect((await search("gonsalo antunes")).suggestions).toEqual([]);
    await db.query(sql`update registrations set registered_at = '2019-01-01' where email = 'ga@example.com'`);
    expect(names((await search("gonsalo antunes")).suggestions)).toEqual(["Gonçalo Antunes"]);
    const long = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(97 + (n % 26), 98 + ((n * 7) % 24))).join(
      " ",
    );
    expect((await search(long)).suggestions).toEqual([]);
  });
});

describe("a search for events", () => {
  const search = (event_name: string) => tools.run("get_organization_admin_snapshot", { event_name });

  it("finds accents and apostrophes in any form, and suggests similar names", async () => {
    const conference = await make.conference();
    const makeNamed = async (name: string, hosts: string[]) => {
      const id = await make.event(conference, { hosts });
      await db.query(sql`update events set name = ${name} where id = ${id}`);
      return id;
    };
    const soiree = await makeNamed("Soirée d’été", [fixture.organizationId]);
    const dinner = await makeNamed("Speakers’ Dinner", [fixture.organizationId]);
    await makeNamed("Soirees of Others", [fixture.otherOrganizationId]);
    for (const query of ["soiree", "SOIRÉE", "soire\u0301e", "d'ete soiree"]) {
      expect(
        (await search(query)).events.map(({ id }: { id: string }) => id),
        query,
      ).toEqual([soiree]);
    }
    for (const query of ["speakers' dinner", "speakers’ dinner", "dinner speakers"]) {
      expect(
        (await search(query)).events.map(({ id }: { id: string }) => id),
        query,
      ).toEqual([dinner]);
    }
    const near = await search("soirree");
    expect(near).toMatchObject({ events: [], message: expect.stringContaining("No event matches") });
    expect(near.suggestions).toEqual([
      { id: soiree, name: "Soirée d’été", start_time: expect.any(String), timezone: "Europe/Lisbon" },
    ]);
    expect((await search("speaker diner")).suggestions.map(({ id }: { id: string }) => id)).toEqual([dinner]);
    expect(await search("zebedee")).toMatchObject({ events: [], suggestions: [] });
    expect(await tools.run("get_organization_admin_snapshot")).not.toHaveProperty("suggestions");
  });
});

describe("an organization by name", () => {
  const named = async (organization_id: string) => (await tools.run("add_event_cohost", { organization_id })).current;
  const refusal = (args: object) => tools.refusal("add_event_cohost", args);

  /** An organization that hosts an event in the conference of the fixture's. */
  const makeFellow = async (name: string, status = "published") => {
    const organization = await make.organization(name);
    const [event] = await db.query<{ conference_id: string }>(
      sql`select conference_id from events where id = ${fixture.eventId}`,
    );
    await make.event(event?.conference_id ?? "", { hosts: [organization], status });
    return organization;
  };

  it("is found whatever its case, accents and encoding, if it hosts in a conference of the caller", async () => {
    const studio = await makeFellow("Café Ångström Studio");
    for (const name of [
      "Café Ångström Studio",
      "CAFÉ ÅNGSTRÖM STUDIO",
      "Cafe\u0301 A\u030angstro\u0308m Studio",
      " cafe angstrom studio ",
    ]) {
      expect((await named(name)).organization.id, name).toBe(studio);
    }
    const done = await tools.commit("add_event_cohost", { organization_id: "café ångström studio" });
    expect(done.after.hosts).toHaveLength(3);
    const removed = await tools.commit("remove_event_cohost", { organization_id: "CAFÉ Ångström Studio" });
    expect(removed.after.hosts).toHaveLength(2);
  });

  it("must be the whole name, and slug takes no name", async () => {
    await makeFellow("Café Ångström Studio");
    for (const args of [{ organization_id: "Café Ångström" }, { slug: "Café Ångström Studio" }]) {
      const error = await refusal(args);
      expect(error.code).toBe("not_found");
      expect(error.details.suggestions).toMatchObject([{ name: "Café Ångström Studio" }]);
      expect(error.message).toContain("See suggestions for similar ones");
    }
  });

  it("with a small mistake gets suggestions among those that the caller may know", async () => {
    const known = await makeFellow("Northwind Collective");
    await make.organization("Northwind Cooperative");
    const elsewhere = await make.organization("Northwinds");
    await make.event(await make.conference(), { hosts: [elsewhere] });
    const error = await refusal({ organization_id: "Nortwhind Colective" });
    expect(error).toMatchObject({ code: "not_found", details: { suggestions: [{ id: known }] } });
    const unknown = await refusal({ organization_id: "Northwind Cooperative" });
    expect(JSON.stringify(unknown)).not.toContain(elsewhere);
    expect(unknown.details.suggestions).not.toContainEqual(expect.objectContaining({ name: "Northwind Cooperative" }));
    // The co-host of the caller's own event is known, in any conference.
    expect((await refusal({ organization_id: "Nex Door" })).details.suggestions).toMatchObject([
      { id: fixture.cohostOrganizationId },
    ]);
  });

  it("of an organization that is not known is not found, although its slug is accepted", async () => {
    const name = `Quiet ${randomUUID()}`;
    const quiet = await make.organization(name);
    expect((await refusal({ organization_id: name })).code).toBe("not_found");
    const [row] = await db.query<{ slug: string }>(sql`select slug from organizations where id = ${quiet}`);
    const bySlug = await tools.run("add_event_cohost", { slug: row?.slug });
    expect(bySlug.current.organization.id).toBe(quiet);
    const nothing = await refusal({ organization_id: "zebedee quux" });
    expect(nothing.message).toContain("ask any other for its slug");
    expect(nothing.details.suggestions).toEqual([]);
  });

  it("of an organization whose only event there is a draft is neither found nor suggested", async () => {
    const draft = await makeFellow("Lighthouse Rehearsals", "draft");
    for (const name of ["Lighthouse Rehearsals", "Lighthouse Rehearsal"]) {
      expect(await refusal({ organization_id: name })).toMatchObject({
        code: "not_found",
        details: { suggestions: [] },
      });
    }
    await db.query(sql`
      update events set status = 'approved' where id in (select event_id from event_hosts where organization_id = ${draft})`);
    expect((await named("Lighthouse Rehearsals")).organization.id).toBe(draft);
  });

  it("that several have is refused with their slugs", async () => {
    const ids = [await makeFellow("Twin House"), await makeFellow("TWIN HOUSE")];
    const error = await refusal({ organization_id: "twin house" });
    expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("Send the slug") });
    expect(error.details.suggestions).toHaveLength(2);
    expect(new Set((error.details.suggestions as { id: string }[]).map(({ id }) => id))).toEqual(new Set(ids));
  });

  it("is not looked for where the value is a uuid", async () => {
    const nobody = randomUUID();
    await makeFellow(nobody);
    expect((await refusal({ organization_id: nobody })).message).toBe(
      `No organization has the id ${nobody}: send its slug or exact name instead`,
    );
  });
});
