-- The request log: one row for each request with an API key (docs/decisions/0048-request-log.md). It is partitioned by
-- month like the other logs (docs/decisions/0016-partitions.md); an id is a UUIDv7 of the time of the response.
create table api_requests (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  api_key_id uuid not null,
  -- A client may choose the id of its request, so it is not unique.
  request_id text not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  error_code text,
  error_field text,
  idempotency_key text,
  duration_ms integer not null,
  client_address text,
  user_agent text,
  payment_id uuid,
  payment_code text,
  primary key (tenant_id, id)
) partition by range (id);
create index api_requests_by_request_id on api_requests (tenant_id, request_id, id);

do $$
declare
  ends timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
  before_id uuid := lpad(to_hex((extract(epoch from ends) * 1000)::bigint), 12, '0') || repeat('0', 20);
begin
  execute format('create table api_requests_first partition of api_requests for values from (minvalue) to (%L)', before_id);
end $$;
create table api_requests_default partition of api_requests default;

alter table api_requests enable row level security;
create policy everybody on api_requests using (true);
create policy tenants_in_scope on api_requests as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select on api_requests to gapura_tenant;

-- The functions of 0033, now for three logs.
create or replace function last_log_partition(log text, out name text, out before timestamptz) language plpgsql stable
  set search_path = public, pg_temp as $$
begin
  if log not in ('provider_callbacks', 'webhook_attempts', 'api_requests') then
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

-- Creates the partition of the month after the last one and moves the rows that waited for it. The default partition is
-- locked first, so that no row is inserted meanwhile. The new table is attached instead of being created in place,
-- because creating it in place would lock all partitions.
create or replace function make_log_partition(log text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  month timestamp := (select before from last_log_partition(log)) at time zone 'UTC';
  made text := log || to_char(month, '"_"YYYY"_"MM');
  spare text := log || '_default';
  key text := case log when 'webhook_attempts' then 'event_id' else 'id' end;
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

-- Drops the oldest partition, and the rows that came late for partitions dropped before it. It never drops rows that are
-- younger than the shortest retention period that can be configured (src/config.ts).
create or replace function drop_log_partition(log text, named text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  oldest record;
  shortest_days integer := case log when 'api_requests' then 30 else 90 end;
begin
  perform from last_log_partition(log);
  select c.oid::regclass as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]{36})''') as bound into strict oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = log::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  order by 2 limit 1;
  if oldest.name is distinct from to_regclass(quote_ident(named)) then
    raise exception '% is not the oldest of %', named, log using errcode = 'invalid_parameter_value';
  end if;
  if ('x' || translate(left(oldest.bound, 13), '-', ''))::bit(48)::bigint > extract(epoch from now() - make_interval(days => shortest_days)) * 1000 then
    raise exception '% has what is younger than % days', named, shortest_days using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %s', oldest.name);
  execute format('delete from %I where %I < %L', log || '_default',
    case log when 'webhook_attempts' then 'event_id' else 'id' end, oldest.bound);
end $$;
