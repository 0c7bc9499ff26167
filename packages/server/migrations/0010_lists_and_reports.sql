-- What an underpaid payment is known to have received: as much counts if the Owner accepts it.
alter table payments add column amount_received bigint check (amount_received >= 0);

-- A list of payments is the newest of each kind that it asks for, merged; so finding the few of a rare kind
-- never means to walk over the many of another.
create index payments_by_kind on payments (tenant_id, mode, status, method_type, provider, id);
drop index payments_by_mode;

-- Searching. What merchants leave empty takes no room.
create index payments_provider_payment_id on payments (tenant_id, provider_payment_id)
  where provider_payment_id is not null;
create index payments_customer_name on payments (tenant_id, lower(customer_name) text_pattern_ops)
  where customer_name <> '';
create index payments_customer_email on payments (tenant_id, lower(customer_email) text_pattern_ops)
  where customer_email <> '';
create index payments_customer_phone on payments (tenant_id, lower(customer_phone) text_pattern_ops)
  where customer_phone <> '';

-- A day's books.
create index payments_paid_at on payments (tenant_id, paid_at) where paid_at is not null;

-- Callbacks by account and status, of one account or of all of them, newest first.
create index provider_callbacks_by_account on provider_callbacks (provider_account_id, status, id);
drop index provider_callbacks_by_status;

-- Rejected callbacks are listed by id like everything else; whoever takes over a slot brings its own.
alter table rejected_callbacks add column id uuid;
update rejected_callbacks
set id = (lpad(to_hex((extract(epoch from received_at) * 1000)::bigint), 12, '0')
          || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid;
alter table rejected_callbacks alter column id set not null;
create unique index rejected_callbacks_id on rejected_callbacks (id);

-- Jobs that may wait (a bulk of redeliveries) stand behind those that may not: a lower number goes first.
drop function enqueue(text, json[], text[], timestamptz);
create function enqueue(
  task text, payloads json[], keys text[], due timestamptz default null, priority integer default 0
) returns void language sql as $$
  select graphile_worker.add_jobs(array(
    select row(task, job.payload, null, due, 1000, job.key, priority, null)::graphile_worker.job_spec
    from unnest(payloads, keys) as job (payload, key)
  ))
$$;
