import sql, { join, type Sql } from "sql-template-tag";

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
