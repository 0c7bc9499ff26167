-- Limits that the Owner set, of a tier and of a tenant; null is inherited: a tenant's from its tier, a tier's from the
-- defaults (limits/limits.ts). The least rate lets the largest batch through, the most requests in flight are half of
-- what one process takes. A tier has its row for good.
create table tier_limits (
  tier text primary key check (tier in ('starter', 'growth', 'enterprise')),
  requests_per_second integer check (requests_per_second between 10 and 10000),
  burst_seconds integer check (burst_seconds between 1 and 10),
  requests_in_flight integer check (requests_in_flight between 1 and 512)
);
insert into tier_limits (tier) values ('starter'), ('growth'), ('enterprise');

create table tenant_limits (
  tenant_id uuid primary key references tenants,
  requests_per_second integer check (requests_per_second between 10 and 10000),
  burst_seconds integer check (burst_seconds between 1 and 10),
  requests_in_flight integer check (requests_in_flight between 1 and 512)
);

-- Only the Owner asks for them, and the service itself: gapura_tenant has no right to them.
alter table tenant_limits enable row level security;
create policy everybody on tenant_limits using (true);
create policy tenants_in_scope on tenant_limits as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));

create trigger tier_limits_announced after insert or delete or update on tier_limits
  for each row execute function announce_change('tier_limits', 'tier');
create trigger tenant_limits_announced after insert or delete or update on tenant_limits
  for each row execute function announce_change('tenant_limits', 'tenant_id');
