-- Sets the tenants of the current transaction's scope. PostgreSQL replaces a call of this function with its body when it
-- plans the statement, so the function costs nothing at run time. A distributed installation replaces the function with
-- one that also sends the setting to the workers (docs/decisions/0083-citus.md).
create function set_tenants(tenants text) returns text language sql as $$
  select set_config('gapura.tenants', tenants, true)
$$;
