-- What providers sent, as they sent it. A callback names no tenant until it is applied, so it is kept by
-- provider account.
create table provider_callbacks (
  id uuid primary key,
  provider_account_id uuid not null,
  provider text not null,
  received_at timestamptz not null default now(),
  headers jsonb not null,
  body bytea not null,
  -- received: not yet applied. applied: it changed a payment. repeated: it said what was known.
  -- refused: the payment's state does not allow it. ignored: it proves or changes nothing.
  -- unmatched: no payment of this account has the reference.
  status text not null default 'received'
    check (status in ('received', 'applied', 'repeated', 'refused', 'ignored', 'unmatched')),
  reason text,
  tenant_id uuid,
  payment_id uuid,
  processed_at timestamptz
);
create index provider_callbacks_unapplied on provider_callbacks (received_at) where status = 'received';

-- Callbacks whose signature did not hold. A ring of slots for each account, so that whoever floods the
-- address only overwrites what flooded it before.
create table rejected_callbacks (
  provider_account_id uuid not null references provider_accounts (id),
  slot integer not null,
  received_at timestamptz not null default now(),
  reason text not null,
  headers jsonb not null,
  body bytea not null check (octet_length(body) <= 16384),
  primary key (provider_account_id, slot)
);
create sequence rejected_callback_slots;

-- Which worker processes live, by their last beat; the jobs of one that stopped beating are released.
create table workers (
  id uuid primary key,
  pool_ids text[] not null,
  seen_at timestamptz not null default now()
);

-- Jobs join the caller's transaction. A job is only a call to look at a row: how often a thing was tried is
-- counted in our own tables, so a worker that dies in the middle can never use up a job's last attempt.
create function enqueue(task text, payloads json[], keys text[], due timestamptz default null) returns void
language sql as $$
  select graphile_worker.add_jobs(array(
    select row(task, job.payload, null, due, 1000, job.key, null, null)::graphile_worker.job_spec
    from unnest(payloads, keys) as job (payload, key)
  ))
$$;
