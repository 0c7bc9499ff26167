-- The versions of the fee schedules (docs/decisions/0058-fees.md). A version never changes. The layer `operator` is
-- what the operator charges the tenant, and the layer `partner` is what the tenant's Partner charges the tenant.
create table fee_schedules (
  tenant_id uuid not null references tenants,
  layer text not null check (layer in ('operator', 'partner')),
  version integer not null check (version >= 1),
  effective_from timestamptz not null,
  refunds_fees boolean not null,
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  created_at timestamptz not null,
  primary key (tenant_id, layer, version)
);

alter table fee_schedules enable row level security;
create policy everybody on fee_schedules using (true);
create policy tenants_in_scope on fee_schedules as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert on fee_schedules to gapura_tenant;

create trigger fee_schedules_announced after insert on fee_schedules
  for each row execute function announce_change('fees', 'tenant_id');

-- The formulas that were in force when the payment was created (fees/fee-terms.ts). Null for a payment without fees.
alter table payments add column fee_terms jsonb;
