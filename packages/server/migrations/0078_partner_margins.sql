-- Finds the books that hold margins of a Partner (fees/credit-partner-margins.ts). The condition names no column that
-- postings change, so that they need not update this index.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists book_accounts_of_partners;
create index concurrently book_accounts_of_partners on book_accounts (tenant_id, mode)
  where account_id = '00000000-0000-0000-0000-000000000004';
