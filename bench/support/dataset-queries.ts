import pg from "pg";

/** Up to 1,000 posters that are visible, of a conference or of an event. */
export async function postersOf(databaseUrl: string, conferenceId?: string, eventId?: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    databaseUrl,
    `select id from posters
     where conference_id = coalesce($1, conference_id) and event_id = coalesce($2, event_id) order by id limit 1000`,
    [conferenceId ?? null, eventId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** For each of the first organizations after the first one: its number, and an event that it hosts. */
export function hostedEvents(
  databaseUrl: string,
  organizations: number,
): Promise<{ organization: number; event: string }[]> {
  return rowsOf(
    databaseUrl,
    `select substr(o.slug, length('organization-') + 1)::int as organization, h.event_id as event
     from organizations o cross join lateral (
       select event_id from event_hosts where organization_id = o.id and role = 'host' limit 1) h
     where o.slug <> 'organization-1' order by 1 limit $1`,
    [organizations],
  );
}

export async function rowsOf<Row extends object>(
  databaseUrl: string,
  statement: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
