-- compatible with: older versions
-- Records stay append-only, except for two operations of an operator that are recorded themselves: removing a person's data
-- from them, and removing those that were archived. Each names itself in a setting of its transaction.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if (tg_op = 'UPDATE' and current_setting('svc.change_records', true) = 'erase')
    or (tg_op = 'DELETE' and current_setting('svc.change_records', true) = 'archive') then
    return null;
  end if;
  raise exception 'mutation records are append-only' using errcode = 'restrict_violation';
end $$;
