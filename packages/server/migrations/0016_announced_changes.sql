-- What processes keep of the configuration is announced to them when it changes (db/changes.ts, configuration.ts):
-- `<kind> <key>` on one channel. PostgreSQL delivers it at commit, after the change can be read, and the same text
-- once for a transaction. What is inserted was not kept by anyone, except among a tenant's routes; a row that moves from
-- one key to another concerns both.
--
-- A session says in which way it reads bytes; the keys that are announced are written in one.
create function announce_change() returns trigger language plpgsql set bytea_output = 'hex' as $$
begin
  -- tg_argv: the kind, and the column that is the key.
  perform pg_notify('gapura_changes', tg_argv[0] || ' ' || key)
  from (values (to_jsonb(old) ->> tg_argv[1]), (to_jsonb(new) ->> tg_argv[1])) as keys (key) where key is not null;
  return null;
end $$;

-- When a key was last used is noted all the time and tells nobody anything.
create trigger api_keys_announced after delete or update of tenant_id, mode, key_hash, expires_at, revoked_at on api_keys
  for each row execute function announce_change('key', 'key_hash');
create trigger tenants_announced after delete or update on tenants
  for each row execute function announce_change('tenant', 'id');
create trigger provider_accounts_announced after delete or update on provider_accounts
  for each row execute function announce_change('account', 'id');
create trigger entitlements_announced after insert or delete or update on entitlements
  for each row execute function announce_change('routes', 'tenant_id');
create trigger routing_rules_announced after insert or delete or update on routing_rules
  for each row execute function announce_change('routes', 'tenant_id');
create trigger webhook_endpoints_announced after delete or update on webhook_endpoints
  for each row execute function announce_change('endpoint', 'tenant_id');
