-- Tenant isolation once more, by the database (docs/decisions/0025-row-level-security.md). What is asked for a caller
-- runs as gapura_tenant, which has no right that no caller needs and meets no row of a tenant outside its scope. The
-- owner of the tables, as whom everything else runs, is not concerned; nor is any other role.
--
-- A role belongs to the whole cluster, so it may be there already, also from another database at the same moment.
do $$
declare
  options text := case when current_setting('server_version_num')::integer >= 160000 then ' with inherit false, set true' else '' end;
begin
  if to_regrole('gapura_tenant') is null then
    begin
      create role gapura_tenant nologin;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end if;
  begin
    set local role gapura_tenant;
    reset role;
  exception
    when insufficient_privilege then execute format('grant gapura_tenant to %I%s', current_user, options);
  end;
exception
  when insufficient_privilege then
    raise exception 'the role % may not make the role gapura_tenant, or not become it. As a superuser run: create role gapura_tenant nologin; grant gapura_tenant to %; then start again', current_user, quote_ident(current_user)
      using errcode = 'insufficient_privilege';
end $$;

-- Null where there is no scope, which no tenant is in. A setting that was local to a transaction is '' afterwards.
create function tenants_in_scope() returns uuid[] language sql stable parallel safe as $$
  select nullif(current_setting('gapura.tenants', true), '')::uuid[]
$$;

-- Policies of a table restrict gapura_tenant only: everybody else who was granted a table reads it as before. The scope
-- is read once for a statement, by the subselect, and not for each row. By the coalesce a policy only checks what was
-- found: an index would otherwise be searched by the scope, too, and be chosen for that, or for how few rows are believed
-- to be in it.
do $$
declare
  held record;
begin
  -- In the order in which what runs meanwhile locks them.
  for held in select * from (values
    ('tenants', 'id', 'select, insert, update'),
    ('payments', 'tenant_id', 'select, insert, update'),
    ('payment_transitions', 'tenant_id', 'select, insert'),
    ('payment_references', 'tenant_id', 'select, insert, update'),
    ('balances', 'tenant_id', 'select, insert, update'),
    ('ledger_entries', 'tenant_id', 'select, insert'),
    ('unexpected_money', 'tenant_id', 'select, insert, update'),
    ('webhook_events', 'tenant_id', 'select, insert'),
    ('webhook_queue', 'tenant_id', 'select, insert, update'),
    ('webhook_attempts', 'tenant_id', 'select'),
    ('webhook_endpoints', 'tenant_id', 'select, insert, update'),
    ('settlement_lines', 'tenant_id', 'select'),
    ('entitlements', 'tenant_id', 'select, insert, update, delete'),
    ('routing_rules', 'tenant_id', 'select, insert, delete'),
    -- Neither the hash of a key nor that of a password is read for a caller.
    ('api_keys', 'tenant_id', 'insert, update (expires_at, revoked_at),
      select (id, tenant_id, mode, name, display_prefix, created_by, created_at, last_used_at, expires_at, revoked_at)'),
    ('users', 'tenant_id', 'insert, select (id, tenant_id, email, created_at, updated_at)')
  ) as tables (name, tenant, rights)
  loop
    execute format('alter table %I enable row level security', held.name);
    execute format('create policy everybody on %I using (true)', held.name);
    execute format('create policy tenants_in_scope on %I as restrictive to gapura_tenant
      using (coalesce(%I = any ((select tenants_in_scope())::uuid[]), false))', held.name, held.tenant);
    execute format('grant %s on %I to gapura_tenant', held.rights, held.name);
  end loop;
end $$;

-- Who acts and whom it concerns may be two tenants.
alter table audit_log enable row level security;
create policy everybody on audit_log using (true);
create policy tenants_in_scope on audit_log as restrictive to gapura_tenant
  using (coalesce(
    tenant_id = any ((select tenants_in_scope())::uuid[]) or actor_tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert on audit_log to gapura_tenant;

-- Of what is the Owner's a caller learns which account took its payment, and no credentials.
grant select (id, provider_code, mode, name, enabled) on provider_accounts to gapura_tenant;
grant select (id, provider_account_id, date) on settlements to gapura_tenant;

-- The job queue is everybody's, and a caller's statement may only add to it.
alter function enqueue(text, json[], text[], timestamptz, integer) security definer;
alter function enqueue(text, json[], text[], timestamptz, integer) set search_path = pg_catalog, pg_temp;

-- Below a policy PostgreSQL searches no index by a condition that is not leakproof, and LIKE is not: without this all
-- payments of a tenant would be read. So this looks as the owner of the tables, and holds the scope itself. For each
-- prefix a plan of its own, since the stretch of the index follows from it.
create function find_customers(of_tenant uuid, prefix text, at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  return query
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_name <> '' and lower(p.customer_name) like lower(prefix)
      order by lower(p.customer_name) using ~<~ limit at_most)
    union all
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_email <> '' and lower(p.customer_email) like lower(prefix)
      order by lower(p.customer_email) using ~<~ limit at_most)
    union all
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_phone <> '' and lower(p.customer_phone) like lower(prefix)
      order by lower(p.customer_phone) using ~<~ limit at_most);
end $$;

-- A partition is no table with policies of its own, so what callers may do they may do through the whole only.
create or replace function grant_like(model regclass, other regclass) returns void language plpgsql as $$
declare
  each record;
begin
  -- What a new table has by default.
  for each in select distinct grantee from pg_class, aclexplode(relacl) where oid = other and grantee <> relowner loop
    execute format('revoke all on %s from %s', other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'));
  end loop;
  for each in
    select privilege_type as what, grantee, is_grantable from pg_class, aclexplode(relacl)
    where oid = model and grantee <> relowner and grantee <> 'gapura_tenant'::regrole
    union all
    select format('%s (%I)', privilege_type, attname), grantee, is_grantable from pg_attribute, aclexplode(attacl)
    where attrelid = model and grantee <> 'gapura_tenant'::regrole
  loop
    execute format('grant %s on %s to %s%s', each.what, other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'),
      case when each.is_grantable then ' with grant option' end);
  end loop;
end $$;
