-- The search of a list that is sorted oldest first. It is like find_payments, but returns the oldest matches from an id
-- on. Like find_payments, it runs as the owner of the tables and checks the scope itself.
create function find_oldest_payments(of_tenant uuid, query tsquery, from_id uuid, at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set work_mem = '32MB' as $$
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  -- The words are searched first, by their index: the other conditions match far more rows.
  return query
    with found as materialized (select s.tenant_id, s.payment_id from payment_search s where s.words @@ query)
    select f.payment_id from found f where f.tenant_id = of_tenant and f.payment_id >= from_id
    order by f.payment_id limit at_most;
end $$;
revoke execute on function find_oldest_payments(uuid, tsquery, uuid, integer) from public;
grant execute on function find_oldest_payments(uuid, tsquery, uuid, integer) to gapura_tenant;
