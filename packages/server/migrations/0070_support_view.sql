-- The support view reads the callbacks of a payment on behalf of a Partner or the Owner
-- (docs/decisions/0070-support-view.md). Headers and bodies are not granted, because a callback can contain credentials.
alter table provider_callbacks enable row level security;
create policy everybody on provider_callbacks using (true);
create policy tenants_in_scope on provider_callbacks as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select (id, provider, status, reason, tenant_id, payment_id, received_at, processed_at) on provider_callbacks
  to gapura_tenant;
