-- Which fields of an order the fingerprint covers (payments/idempotency.ts). Fingerprints that exist are version 1, as are
-- those of the release before.
alter table payments add column fingerprint_version smallint not null default 1;
create trigger payments_fingerprint_version_is_fixed before update on payments for each row
  when (new.fingerprint_version is distinct from old.fingerprint_version)
  execute function refuse_change('what was agreed at creation is fixed');

-- A balance is a JSON number to callers, and those are exact to 2^53 - 1. The service sets aside money that would pass it
-- (docs/decisions/0035-largest-balance.md); this holds where two postings race.
alter table ledger_entries add constraint ledger_entries_balance_is_exact
  check (balance_after between -9007199254740991 and 9007199254740991) not valid;
alter table balances add constraint balances_are_exact
  check (balance between -9007199254740991 and 9007199254740991) not valid;

-- Webhook secrets that were replaced and sign beside the present one until expires_at. Several may overlap, each until the
-- time that its own rotation promised.
create table previous_webhook_secrets (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants (id),
  secret_sealed text not null,
  expires_at timestamptz not null
);
create index previous_webhook_secrets_tenant on previous_webhook_secrets (tenant_id);
alter table previous_webhook_secrets enable row level security;
create policy everybody on previous_webhook_secrets using (true);
create policy tenants_in_scope on previous_webhook_secrets as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, delete on previous_webhook_secrets to gapura_tenant;

-- A rotation writes the secret that it replaces into previous_secret_sealed, which the release before reads and writes; from
-- there it comes into the table. previous_secret_* can go once no process of that release runs: a rotation then inserts
-- the row itself.
create function keep_previous_webhook_secret() returns trigger language plpgsql as $$
begin
  insert into previous_webhook_secrets (tenant_id, secret_sealed, expires_at)
  values (new.tenant_id, new.previous_secret_sealed, new.previous_secret_expires_at);
  return null;
end $$;
create trigger webhook_endpoints_keep_previous_secret after update on webhook_endpoints for each row
  when (new.previous_secret_expires_at is not null
        and new.previous_secret_expires_at is distinct from old.previous_secret_expires_at)
  execute function keep_previous_webhook_secret();
insert into previous_webhook_secrets (tenant_id, secret_sealed, expires_at)
select tenant_id, previous_secret_sealed, previous_secret_expires_at
from webhook_endpoints where previous_secret_sealed is not null;
