-- Whether the Owner suspended the tenant. A Partner cannot undo such a suspension
-- (docs/decisions/0011-tenant-management-permissions.md).
--
-- For tenants that are already suspended, the audit log contains who suspended them. Each suspension by a Partner has an
-- entry, so all others count as suspensions by the Owner. Few tenants are suspended. Their entries are read before the
-- column is added, because adding the column locks the table.
do $$
declare
  by_owner uuid[];
begin
  select array_agg(t.id) into by_owner from tenants t
  where t.status = 'suspended'
    and (t.parent_id is null or t.parent_id is distinct from (
      select a.actor_tenant_id from audit_log a
      where a.tenant_id = t.id and a.action = 'tenant.update'
        and a.before ->> 'status' = 'active' and a.after ->> 'status' = 'suspended'
      order by a.id desc limit 1));
  alter table tenants add column suspended_by_owner boolean not null default false;
  update tenants set suspended_by_owner = true where id = any (by_owner);
end $$;
