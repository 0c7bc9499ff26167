-- A search for a word that many old payments contain, but few new ones, no longer reads the rows of all these payments
-- (docs/decisions/0071-search.md). Processes of the previous release still call find_payments and find_oldest_payments.

-- A query for the dates in the codes of all payments with ids in a range. The id and the payment code contain times that
-- one process reads within a minute. The hour is a margin, in case the process is paused between them. Returns null for
-- more than ten years.
create function payment_dates(of_tenant uuid, first_id uuid, last_id uuid) returns tsquery
language sql immutable parallel safe as $$
  select string_agg(right(of_tenant::text, 4) || 'gp' || to_char(day, 'YYMMDD'), '|')::tsquery
  from (
    select timestamp 'epoch' + interval '1 millisecond' * ('x' || translate(left(first_id::text, 13), '-', ''))::bit(48)::bigint,
           timestamp 'epoch' + interval '1 millisecond' * ('x' || translate(left(last_id::text, 13), '-', ''))::bit(48)::bigint
  ) period (first, last)
  cross join generate_series(date_trunc('day', first - interval '1 hour'), last + interval '1 hour', interval '1 day') day
  where last - first < interval '3650 days'
$$;

-- Returns the first at_most matches with ids from from_id on and before before_id, sorted by id in either direction. The
-- index of words is not sorted by time, so sorting the matches requires reading all of their rows. If there are many, the
-- function therefore first reads only the matches in a sample of the payments. The sample shows on which days the first
-- at_most matches were created, and the index finds all matches of these days.
--
-- The function runs as the owner of the tables and checks the scope itself, because row-level security prevents an index
-- search with an operator that is not leakproof.
create function search_payments(of_tenant uuid, query tsquery, from_id uuid, before_id uuid, is_newest_first boolean,
  at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set work_mem = '32MB' as $$
declare
  few constant integer := 5000;
  -- Matches one payment in 512: those with a code whose last four or seven characters begin with these letters. Of the
  -- payments from before migration 0103, matches one in 1,024: those with a code that ends with these letters in reverse.
  sample constant tsquery := format($sample$'%1$s>qx':* | '%1$s<qx':*$sample$, right(of_tenant::text, 4));
  matches integer := few + 1;
  far_id uuid;
  days_from_id uuid := from_id;
  days_before_id uuid := before_id;
  days tsquery;
  found uuid[];
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  -- In each of these queries, the words are searched first, by their index: the other conditions match far more rows.
  if query::text like '%&%' and query::text like '%:*%:*%' then
    -- Few payments may have all of several frequent words. For the beginnings of words, PostgreSQL then reads all entries of
    -- each word in the index. This takes long, so it is not done a second time for the sample.
    with matching as materialized (select s.tenant_id, s.payment_id from payment_search s where s.words @@ query)
    select count(*), array_agg(m.payment_id) filter (where m.tenant_id = of_tenant)
    into matches, found from (select * from matching limit few + 1) m;
  end if;
  if matches > few then
    with matching as materialized (
      select s.tenant_id, s.payment_id from payment_search s where s.words @@ query and s.words @@ sample)
    select m.payment_id into far_id from matching m
    where m.tenant_id = of_tenant and m.payment_id >= from_id and m.payment_id < before_id
    order by case when is_newest_first then m.payment_id end desc, m.payment_id
    -- Before this match, there are very probably at least at_most other matches. If not, all matches are read below.
    offset 3 + at_most * 3 / 1024 limit 1;
    if far_id is not null then
      if is_newest_first then days_from_id := far_id; else days_before_id := far_id; end if;
      days := payment_dates(of_tenant,
        greatest(days_from_id, (select payment_id from payment_search where tenant_id = of_tenant order by 1 limit 1)),
        least(days_before_id, (select payment_id from payment_search where tenant_id = of_tenant order by 1 desc limit 1)));
      found := array(
        with matching as materialized (
          select s.tenant_id, s.payment_id from payment_search s where s.words @@ query and s.words @@ days)
        select m.payment_id from matching m
        where m.tenant_id = of_tenant and m.payment_id >= days_from_id and m.payment_id < days_before_id
        order by case when is_newest_first then m.payment_id end desc, m.payment_id limit at_most);
      if cardinality(found) = at_most then
        return query select unnest(found);
        return;
      end if;
    end if;
    found := array(
      with matching as materialized (select s.tenant_id, s.payment_id from payment_search s where s.words @@ query)
      select m.payment_id from matching m where m.tenant_id = of_tenant);
  end if;
  return query select id from unnest(found) id where id >= from_id and id < before_id
    order by case when is_newest_first then id end desc, id limit at_most;
end $$;
revoke execute on function search_payments(uuid, tsquery, uuid, uuid, boolean, integer) from public;
grant execute on function search_payments(uuid, tsquery, uuid, uuid, boolean, integer) to gapura_tenant;
