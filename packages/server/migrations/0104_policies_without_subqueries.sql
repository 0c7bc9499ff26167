-- The policies that isolate tenants compare each row with the setting gapura.tenants without a subquery, because a
-- distributed table cannot have a policy with a subquery (docs/decisions/0083-citus.md). The setting is a list such as
-- {0197…,0198…}. A tenant is in the list if something follows the text of its id. An id has a fixed length and contains
-- no comma, so a part of one id or of two neighbors never matches. A missing or malformed setting shows no row of a
-- tenant whose id it does not contain. split_part searches a long list faster than strpos, which counts the characters
-- before the match.
--
-- The coalesce keeps the planner's estimate for the policy, so the query plans stay as they were.
do $$
declare
  held record;
begin
  for held in
    select c.relname as name, case c.relname
      when 'tenants' then array['id']
      when 'audit_log' then array['tenant_id', 'actor_tenant_id']
      else array['tenant_id'] end as tenants
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenants_in_scope' and c.relnamespace = 'public'::regnamespace
    -- The busy tables come first, in the order in which requests lock them.
    order by array_position(array['tenants', 'payments', 'payment_transitions', 'payment_references', 'balances',
      'ledger_entries', 'unexpected_money', 'webhook_events', 'webhook_queue'], c.relname::text), c.relname
  loop
    execute format('alter policy tenants_in_scope on %I using (coalesce(%s, false))', held.name, (
      select string_agg(format('split_part(current_setting(''gapura.tenants'', true), %I::text, 2) <> ''''', tenant), ' or ')
      from unnest(held.tenants) as tenant));
  end loop;
end $$;
