-- compatible with: older versions
-- The same for names and e-mail addresses of people.
create index users_words on users using gin (search_words(search_text(email || ' ' || name)));
