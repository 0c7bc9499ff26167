-- Finds payments that a provider accepted long after their creation, for example after an outage. Accepting a payment
-- creates no webhook event, so the live updates (src/live/polled-rows.sql.ts) find such payments with this index. Nearly
-- every payment is accepted within seconds and adds no row to it.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists payments_accepted_late;
create index concurrently payments_accepted_late on payments (tenant_id, updated_at)
  where status = 'pending' and updated_at - created_at > interval '50 seconds';

-- Search words and phone numbers are now also split at the spaces and dashes of Unicode, such as the non-breaking space
-- U+00A0. Before, `Budi Santoso` with such a space was one word, which a search for `santoso` did not find. Payments that
-- already have their words keep them. src/payments/read/search-query.ts splits search texts at the same characters.
create or replace function payment_search_text(p payments) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(p.customer_name || ' ' || p.customer_email || ' ' || p.payment_code),
      '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
      ' ', 'g')
    || lower(' >' || right(p.payment_code, 7) || ' >' || right(p.payment_code, 4))
    || ' =' || p.amount || ' #' || p.channel || ' '
    || translate(replace(regexp_replace(
      lower(p.idempotency_key || U&'\001f' || coalesce(p.provider_payment_id, '') || U&'\001f'
        || coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code', '') || U&'\001e'
        || p.customer_phone),
      '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
      '', 'g'), U&'\001e0', ' 62'), U&'\001f\001e', '  ')
    || coalesce(' <' || reverse(regexp_replace(
      lower(coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code')),
      '[ \t\n\r!-/:-@[-`{-~]+', '', 'g')), '')
$$;
create or replace function search_reference(content text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(content),
    '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
    '', 'g')
$$;

-- As in migration 0112, but the search begins with two periods instead of 32, and reads a period with very many matches in
-- order. Before, a search for a word that was frequent until recently read the index entries of millions of matches.
--
-- Returns the first at_most matches with ids from from_id on and before before_id, sorted by id in either direction.
--
-- The function searches a few periods at once, beginning with the first in the list, until it has at_most matches. To
-- sort the matches, PostgreSQL must read the rows of all matches in these periods. If there are too many, the function
-- searches fewer periods at once from then on. If a single period has too many, the function reads the tenant's payments of
-- this period in order instead, until it has at_most matches. Because the matches are frequent, it soon has. If there are
-- hardly any matches, it searches more periods at once.
--
-- The function runs as the owner of the tables and checks the scope itself, because row-level security prevents an index
-- search with an operator that is not leakproof.
create or replace function search_payments(of_tenant uuid, query tsquery, from_id uuid, before_id uuid,
  is_newest_first boolean, at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set work_mem = '32MB' as $$
declare
  most_rows constant integer := greatest(300, 3 * at_most);
  -- Reading this many matches takes about 15 ms.
  most_rows_of_period constant integer := greatest(10000, 3 * at_most);
  -- With many words, PostgreSQL's time per match grows with the number of words times the number of periods.
  most_periods integer := greatest(1, least(64, 256 / greatest(1, numnode(query))));
  -- PostgreSQL reads the index entries of all matches in the periods, so a search begins with few periods.
  periods_at_once integer := least(2, most_periods);
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
      limit case when periods_at_once > 1 then most_rows else most_rows_of_period end + 1)
    select count(*), array_agg(m.payment_id order by case when is_newest_first then m.payment_id end desc, m.payment_id)
      filter (where m.tenant_id = of_tenant and m.payment_id >= from_id and m.payment_id < before_id)
    into rows_read, found from matching m;
    if rows_read > most_rows and periods_at_once > 1 then
      most_periods := greatest(1, periods_at_once / 8);
      periods_at_once := most_periods;
      continue;
    end if;
    if rows_read > most_rows_of_period then
      found := array(
        select s.payment_id from payment_search s
        where s.tenant_id = of_tenant and s.payment_id >= from_id and s.payment_id < before_id
          and s.payment_id >= rpad(lpad(to_hex(period), 5, '0'), 32, '0')::uuid
          and s.payment_id <= rpad(lpad(to_hex(period), 5, '0'), 32, 'f')::uuid
          and s.words @@ query
        order by case when is_newest_first then s.payment_id end desc, s.payment_id
        limit at_most);
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
