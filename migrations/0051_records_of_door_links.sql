-- compatible with: older versions
-- Records of changes at the door by somebody who has opened a link for it.
alter table mutation_records add column door_link_id uuid;
alter table mutation_records drop constraint mutation_records_via_check;
alter table mutation_records add constraint mutation_records_via_check
  check (via in ('key', 'app', 'console', 'door', 'command_line')) not valid;
