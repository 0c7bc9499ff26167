-- Who stands below whom: the parent of a Client is a Partner.
alter table tenants add column parent_role text
  generated always as (case when parent_id is not null then 'partner' end) stored;
alter table tenants add constraint tenants_id_role unique (id, role);
alter table tenants add constraint tenants_parent_is_a_partner
  foreign key (parent_id, parent_role) references tenants (id, role);

-- Somebody must be left who can lift a suspension. Two Owners that suspend each other at once take turns here,
-- and the second looks again at what the first has left.
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('keep_an_owner'));
  perform from tenants where role = 'owner' and status = 'active' and id <> old.id;
  if not found then
    raise exception 'tenant % is the last active owner', old.id
      using errcode = 'check_violation', constraint = 'tenants_keep_an_owner';
  end if;
  return new;
end $$;
create trigger tenants_keep_an_owner before update on tenants for each row
  when (old.role = 'owner' and old.status = 'active' and (new.role, new.status) is distinct from ('owner', 'active'))
  execute function keep_an_owner();

-- Channel codes count in lower case everywhere; a range that no amount is in would be a rule that never applies.
alter table routing_rules add check (channel = lower(channel));
alter table routing_rules add check (min_amount <= max_amount);
alter table provider_accounts add check (base_url ~ '^https?://');

-- Lists are paged by id, and ask for those of one parent, tenant or provider.
drop index tenants_parent;
create index tenants_parent on tenants (parent_id, id) where parent_id is not null;
drop index users_tenant;
create index users_tenant on users (tenant_id, id);
drop index api_keys_tenant;
create index api_keys_tenant on api_keys (tenant_id, id);
create index provider_accounts_provider on provider_accounts (provider_code, id);
