-- Who runs the service need not own its tables (docs/decisions/0031-two-database-roles.md). What changes tables while it
-- runs is the keeping of the logs' partitions: that runs as their owner, and can do nothing else than this.

-- The partition that ends last, and where: ids begin with the time.
create function last_log_partition(log text, out name text, out before timestamptz) language plpgsql stable
  set search_path = public, pg_temp as $$
begin
  if log not in ('provider_callbacks', 'webhook_attempts') then
    raise exception '% is no log', log using errcode = 'invalid_parameter_value';
  end if;
  select partition.relname, timestamptz 'epoch' + interval '1 millisecond' * ('x' || translate(left(bound, 13), '-', ''))::bit(48)::bigint
  into strict name, before
  from (
    select c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]{36})''') as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = log::regclass
  ) partition
  where bound is not null order by bound desc limit 1;
end $$;

-- Of the month after the last, with what came for it while it was missing; nothing more may come before it is attached,
-- so that is locked first. Attached, and not created in its place: for that, all partitions would be locked.
create function make_log_partition(log text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamp := (select before from last_log_partition(log)) at time zone 'UTC';
  made text := log || to_char(month, '"_"YYYY"_"MM');
  spare text := log || '_default';
  key text := case log when 'provider_callbacks' then 'id' else 'event_id' end;
  bounds text[] := array(
    select overlay(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) || '-0000-0000-000000000000'
    from unnest(array[month, month + interval '1 month']) as at);
begin
  execute format('lock table %I in access exclusive mode', spare);
  execute format('create table %I (like %I including all)', made, log);
  perform grant_like(log::regclass, made::regclass);
  execute format('with waiting as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from waiting',
    spare, key, bounds[1], bounds[2], made);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, made, bounds[1], bounds[2]);
  return made;
end $$;

-- The oldest, with what came late for those dropped before it; never what is younger than the shortest time for which it
-- may be kept (src/config.ts).
create function drop_log_partition(log text, named text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  oldest record;
begin
  perform from last_log_partition(log);
  select c.oid::regclass as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]{36})''') as bound into strict oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = log::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  order by 2 limit 1;
  if oldest.name is distinct from to_regclass(quote_ident(named)) then
    raise exception '% is not the oldest of %', named, log using errcode = 'invalid_parameter_value';
  end if;
  if ('x' || translate(left(oldest.bound, 13), '-', ''))::bit(48)::bigint > extract(epoch from now() - interval '90 days') * 1000 then
    raise exception '% has what is younger than 90 days', named using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %s', oldest.name);
  execute format('delete from %I where %I < %L', log || '_default',
    case log when 'provider_callbacks' then 'id' else 'event_id' end, oldest.bound);
end $$;

revoke execute on function make_log_partition(text), drop_log_partition(text, text) from public;
