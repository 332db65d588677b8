-- compatible with: older versions
-- outside a transaction
-- The same for names and e-mail addresses of people.
create index concurrently if not exists users_words on users using gin (search_words(search_text(email || ' ' || name)));

analyze users;
