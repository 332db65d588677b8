-- Records say how the actor came in. Operators at the command line have no key: their records name the person.
alter table mutation_records
  add column via text not null default 'key' check (via in ('key', 'command_line')),
  add column operator text check (operator <> ''),
  add check ((via = 'command_line') = (operator is not null));
alter table mutation_records alter column via drop default;
