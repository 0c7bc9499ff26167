-- What a provider says it settled on a day to one of our accounts, as the Owner handed it in. A day of an
-- account has one statement; another one replaces it as a whole.
create table settlements (
  id uuid primary key,
  provider_account_id uuid not null references provider_accounts (id),
  date date not null,
  lines integer not null default 0,
  -- What was paid less what went back; cents.
  amount bigint not null default 0,
  fees bigint not null default 0,
  -- Lines that pay a reference once more.
  duplicates integer not null default 0,
  uploaded_at timestamptz not null,
  unique (provider_account_id, date)
);
create index settlements_by_account on settlements (provider_account_id, id);
create index settlements_by_date on settlements (date);

-- Whose payment a line means is looked up when it comes in: a reference is written down before the provider
-- hears of it, so one that leads nowhere then never will.
create table settlement_lines (
  settlement_id uuid not null references settlements (id) on delete cascade,
  -- Its line in the file.
  line integer not null,
  date date not null,
  reference text not null,
  status text not null check (status in ('paid', 'refunded', 'reversed')),
  amount bigint not null check (amount > 0),
  fee bigint,
  paid_at timestamptz,
  provider_payment_id text,
  tenant_id uuid,
  payment_id uuid,
  primary key (settlement_id, line),
  check ((tenant_id is null) = (payment_id is null))
);
create index settlement_lines_of_day on settlement_lines (tenant_id, date, payment_id) where payment_id is not null;
create index settlement_lines_of_payment on settlement_lines (tenant_id, payment_id) where payment_id is not null;
create index settlement_lines_leading_nowhere on settlement_lines (settlement_id, line) where payment_id is null;

-- A day's payments are read page by page, and many may be paid in the same moment.
create index payments_paid_in_order on payments (tenant_id, paid_at, id) where paid_at is not null;
drop index payments_paid_at;
