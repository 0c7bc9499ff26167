create table webhook_events (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  -- The transition of the payment that this event tells; one event a transition.
  number integer not null,
  mode text not null check (mode in ('live', 'test')),
  type text not null check (type in ('payment.paid', 'payment.failed', 'payment.expired', 'payment.cancelled', 'payment.challenged')),
  -- The very bytes that are signed and sent, the same at every attempt.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'permanently_failed', 'not_configured')),
  attempt_count integer not null default 0,
  attempts_left integer not null,
  -- When the next attempt is due; while one runs, when it counts as lost.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, payment_id, number),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index webhook_events_due on webhook_events (next_attempt_at) where status = 'pending';
create index webhook_events_due_of_tenant on webhook_events (tenant_id, next_attempt_at) where status = 'pending';

create table webhook_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  primary key (tenant_id, event_id, number)
);
