-- Searches use the index by period (0110_search_words_of_period.sql). Processes of the previous release call the same
-- functions with the same queries.

-- A query that finds the matches of `query` in the index by period. In `query`, each word begins with the end of the
-- tenant's id.
create function query_in_periods(query tsquery, of_tenant uuid, periods text[]) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('(' || replace(query::text, '''' || tenant, '''' || period || tenant) || ')', '|')::tsquery
  from right(of_tenant::text, 4) tenant, unnest(periods) period
$$;

-- Returns the first at_most matches with ids from from_id on and before before_id, sorted by id in either direction.
--
-- The function searches several periods at once, beginning with the first in the list, until it has at_most matches. To
-- sort the matches, PostgreSQL must read the rows of all matches in these periods. If there are too many, the function
-- searches fewer periods at once from then on.
--
-- The function runs as the owner of the tables and checks the scope itself, because row-level security prevents an index
-- search with an operator that is not leakproof.
create or replace function search_payments(of_tenant uuid, query tsquery, from_id uuid, before_id uuid,
  is_newest_first boolean, at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set work_mem = '32MB' as $$
declare
  most_rows constant integer := greatest(300, 3 * at_most);
  -- With many words, PostgreSQL's time per match grows with the number of words times the number of periods.
  most_periods integer := greatest(1, least(64, 256 / greatest(1, numnode(query))));
  periods_at_once integer := least(32, most_periods);
  next_id uuid;
  period integer;
  last_period integer;
  rows_read integer;
  found uuid[];
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  while at_most > 0 loop
    -- The next period with payments. Periods without payments are skipped.
    next_id := case when is_newest_first
      then (select payment_id from payment_search where tenant_id = of_tenant and payment_id >= from_id
        and payment_id < before_id order by payment_id desc limit 1)
      else (select payment_id from payment_search where tenant_id = of_tenant and payment_id >= from_id
        and payment_id < before_id order by payment_id limit 1) end;
    exit when next_id is null;
    period := ('x' || left(next_id::text, 5))::bit(20)::integer;
    last_period := case when is_newest_first
      then greatest(period - periods_at_once + 1, 0) else least(period + periods_at_once - 1, x'fffff'::integer) end;

    -- The words are searched first, by their index: the other conditions match far more rows.
    with matching as materialized (
      select s.tenant_id, s.payment_id from payment_search s
      where words_of_period(s.payment_id, s.words) @@ query_in_periods(query, of_tenant, array(
        select lpad(to_hex(each), 5, '0')
        from generate_series(least(period, last_period), greatest(period, last_period)) each))
      limit case when periods_at_once > 1 then most_rows + 1 end)
    select count(*), array_agg(m.payment_id order by case when is_newest_first then m.payment_id end desc, m.payment_id)
      filter (where m.tenant_id = of_tenant and m.payment_id >= from_id and m.payment_id < before_id)
    into rows_read, found from matching m;
    if rows_read > most_rows and periods_at_once > 1 then
      most_periods := greatest(1, periods_at_once / 8);
      periods_at_once := most_periods;
      continue;
    end if;

    return query select unnest(found[1:at_most]);
    at_most := at_most - coalesce(cardinality(found), 0);
    if is_newest_first then
      before_id := rpad(lpad(to_hex(last_period), 5, '0'), 32, '0')::uuid;
    else
      -- No payment has this id, because the digit for the version of a UUID is never f.
      from_id := rpad(lpad(to_hex(last_period), 5, '0'), 32, 'f')::uuid;
    end if;
    if rows_read < most_rows / 8 then
      periods_at_once := least(periods_at_once * 4, most_periods);
    end if;
  end loop;
end $$;
drop function payment_dates(uuid, uuid, uuid);

-- Processes of the release before migration 0107 call these functions.
create or replace function find_payments(of_tenant uuid, query tsquery, before_id uuid, at_most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select search_payments(of_tenant, query, '00000000-0000-0000-0000-000000000000', before_id, true, at_most)
$$;
create or replace function find_oldest_payments(of_tenant uuid, query tsquery, from_id uuid, at_most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select search_payments(of_tenant, query, from_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, at_most)
$$;

create or replace function merge_search_index() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('gapura_search_merges')) then
    return false;
  end if;
  perform gin_clean_pending_list('payment_search_by_period');
  return true;
end $$;
