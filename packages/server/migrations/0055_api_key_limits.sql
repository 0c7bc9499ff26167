-- What an API key may do, and from where (docs/decisions/0055-api-key-scopes.md). An empty list means no restriction.
-- allow validate-later: an installation has few API keys
alter table api_keys
  add column scopes text[] not null default '{}'
    constraint api_keys_scopes_are_known
    check (scopes <@ '{payments:read,payments:write,refunds,payouts,reports}'),
  add column allowed_ips cidr[] not null default '{}';
grant select (scopes, allowed_ips), update (scopes, allowed_ips) on api_keys to gapura_tenant;

drop trigger api_keys_announced on api_keys;
create trigger api_keys_announced
  after delete or update of tenant_id, mode, key_hash, expires_at, revoked_at, scopes, allowed_ips on api_keys
  for each row execute function announce_change('key', 'key_hash');
