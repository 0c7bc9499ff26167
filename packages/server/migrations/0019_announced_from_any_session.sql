-- A session says in which way it reads bytes; the keys that are announced are written in one. And a row that moves from
-- one key to another concerns both; where they are the same, PostgreSQL delivers them once.
create or replace function announce_change() returns trigger language plpgsql set bytea_output = 'hex' as $$
begin
  -- tg_argv: the kind, and the column that is the key.
  perform pg_notify('gapura_changes', tg_argv[0] || ' ' || key)
  from (values (to_jsonb(old) ->> tg_argv[1]), (to_jsonb(new) ->> tg_argv[1])) as keys (key) where key is not null;
  return null;
end $$;
