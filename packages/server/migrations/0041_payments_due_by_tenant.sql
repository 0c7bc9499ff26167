-- The sweep claims due payments of an account tenant by tenant, so that no tenant's backlog delays the checks of another
-- that shares the account. Every create writes this index, so it replaces payments_due_by_account. The sweep of the version
-- before this one then sorts the open payments of an account, which is slower and still right.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists payments_due_by_tenant;
create index concurrently payments_due_by_tenant on payments (provider_account_id, tenant_id, next_check_at)
  where next_check_at is not null;
drop index concurrently if exists payments_due_by_account;
