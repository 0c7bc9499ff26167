-- The sweep claims due payments account by account, so that no account's backlog delays the checks of another. The index
-- payments_due stays for the version before this one, and is dropped in the next release.
drop index concurrently if exists payments_due_by_account;
create index concurrently payments_due_by_account on payments (provider_account_id, next_check_at)
  where next_check_at is not null;
