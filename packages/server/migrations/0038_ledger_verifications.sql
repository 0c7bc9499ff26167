-- One whole verification of the ledger a day. The process that has it says from time to time that it goes on.
create table ledger_verifications (
  -- Of Asia/Jakarta.
  day date primary key,
  started_at timestamptz not null,
  beat_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  balances bigint not null default 0,
  entries bigint not null default 0,
  payments bigint not null default 0,
  differences bigint not null default 0
);

-- What contradicts itself. A difference is there for as long as the last whole verification found it.
create table ledger_differences (
  -- SHA-256 of the difference: one that is found again is the same one.
  fingerprint bytea primary key check (octet_length(fingerprint) = 32),
  difference jsonb not null,
  found_at timestamptz not null,
  last_found_at timestamptz not null,
  -- When the Owner was told by mail.
  told_at timestamptz
);
create index ledger_differences_by_time on ledger_differences (last_found_at);
create index ledger_differences_untold on ledger_differences (found_at) where told_at is null;
