-- compatible with: older versions
-- The same normalized form, computed faster where there is nothing to decompose: most names and all e-mail addresses are
-- ASCII. In ASCII text every character is one byte. The letters are lowered without the rules of a language, because
-- Turkish has another letter for I.
create or replace function search_text(value text) returns bytea language sql immutable strict parallel safe
  return case when octet_length(value) = length(value)
    then convert_to(btrim(lower(translate(value, '''`', '') collate "C")), 'UTF8')
    else convert_to(btrim(normalize(
      replace(replace(replace(replace(
        translate(
          regexp_replace(
            lower(normalize(regexp_replace(value, '[''`´‘’‛′ʹʻʼʽʾʿˈꞌ＇]', '', 'g'), nfkd)),
            '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'),
          'łøđðħıŧŋəɛɔɓɗƙς', 'loddhitneeobdkσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      nfc)), 'UTF8') end;
