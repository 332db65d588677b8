import sql, { join, type Sql } from "sql-template-tag";
import { inlined } from "./statement-names.js";

/**
 * Whether a column in the form of `search_text` (migrations/0004_search_text.sql) contains every word of the query, in
 * any order. A query of nothing but ignored characters, such as apostrophes, matches nothing.
 */
export function matchesWords(column: Sql, query: string): Sql {
  // The longest word is usually the rarest: checked first, it spares most rows the others.
  const words = [...new Set(query.split(/\s+/))].filter((word) => word !== "").sort((a, b) => b.length - a.length);
  // With `<> 0` the planner expects most rows to match, and reads a list in its order until the page is full; with `> 0`
  // it would expect next to none for several words, and sort what it finds.
  const conditions = words.map((word) => sql`position(search_text(${word}) in ${column}) <> 0`);
  return join([sql`search_text(${query}) <> ''`, ...conditions], " and ");
}

/**
 * Whether a column in the form of `search_text` has, for every word of the query, a word that begins with it, for lists that
 * are too long to be read (migrations/0016_words_of_events.sql). Marks between words are ignored.
 */
export function matchesBeginnings(column: Sql, query: string): Sql {
  const words = [...new Set(query.split(/[\s@.\-_/]+/))].filter((word) => word !== "");
  if (words.length === 0) return sql`false`;
  const quoted = words.map((word) => sql`quote_literal(convert_from(search_text(${word}), 'UTF8')) || ':*'`);
  // Everything here is immutable: the planner knows the words, and with them how many rows match.
  return sql`search_words(${column}) @@ to_tsquery('simple', ${join(quoted, " || ' & ' || ")})`;
}

/** How many rows of a list are looked at in its order before the index of words is used. */
export const searchedInOrder = 1_000;

type SearchedList = {
  table: Sql;
  /** The alias of a row of the table in the columns and conditions. */
  row: Sql;
  columns: Sql;
  /** A condition by `matchesBeginnings`, which an index of words serves. */
  matches: Sql;
  /** All other conditions, with which an index serves the list in its order. */
  others: Sql;
  order: Sql;
};

/**
 * The first rows of a list that match a search. A frequent word fills the page within the first rows of the list; for any
 * other, all matches are read by the index of words and sorted. The planner cannot choose between the two: it knows neither
 * how frequent a rare word is nor where in the list the matches are, and would read most of the list in its order.
 */
export function firstMatches({ table, row, columns, matches, others, order }: SearchedList, limit: number): Sql {
  const inOrder = sql`select ${row}.* from ${table} ${row} where ${others} order by ${order}`;
  // A subquery with "offset" is planned by itself, and so is not read in the order of the list.
  return sql`(
    with early as materialized (
      select ${columns} from (${inOrder} limit ${searchedInOrder}) ${row} where ${matches} order by ${order} limit ${limit}),
    incomplete as materialized (
      select from early
      having case when count(*) < ${limit} then exists (${inOrder} offset ${searchedInOrder} limit 1) else false end)
    (select * from early where not exists (select from incomplete))
    union all
    (select ${columns} from (
      select ${row}.* from ${table} ${row} where ${matches} and ${others} offset 0) ${row}
     where exists (select from incomplete) order by ${order} limit ${limit}))`;
}

/** A text in the form in which `nearNames` compares it. */
export function comparedText(value: Sql): Sql {
  return sql`convert_from(search_text(${value}), 'UTF8')`;
}

/** The most pairs of letters of a query that are searched for. */
const comparedPairs = 24;
const similarRows = 100;

/**
 * The ids of the rows whose search text has most pairs of letters in common with the query, in no order; `nearNames` then
 * decides which of them are near. `rows` has the columns id and search_text, and must be bounded: all are read.
 */
export function similarRowsOf(rows: Sql, query: string): Sql {
  return sql`(
    with pairs as materialized (
      select array_agg(pair) as list from (
        select distinct convert_to(substr(word, place, 2), 'UTF8') as pair
        from regexp_split_to_table(${comparedText(sql`${query}`)}, '\\s+') word,
          generate_series(1, greatest(length(word) - 1, 1)) place
        where word <> '' limit ${inlined(comparedPairs)}) found)
    select r.id from pairs, ${rows} r, lateral (
      select count(*) as shared from unnest(pairs.list) pair where position(pair in r.search_text) <> 0 offset 0) common
    where common.shared > 0 order by common.shared desc, r.id limit ${inlined(similarRows)})`;
}
