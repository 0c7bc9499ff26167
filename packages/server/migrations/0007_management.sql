-- Who did what through the management endpoints; append-only, without secrets.
create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  -- Who acted: a user of a tenant, or the operator's own command (both null).
  actor_tenant_id uuid,
  actor_user_id uuid,
  action text not null,
  -- Whom it concerns; null where it concerns the service itself.
  tenant_id uuid,
  subject_id text,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_tenant on audit_log (tenant_id, id);
create index audit_log_actor on audit_log (actor_tenant_id, id);
create trigger audit_log_is_appended before update or delete on audit_log for each row
  execute function refuse_change('the audit log is append-only');
create trigger audit_log_is_kept before truncate on audit_log for each statement
  execute function refuse_change('the audit log is append-only');

create table password_resets (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users (id),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);

-- Counters of failed log-ins, in the form that rate-limiter-flexible keeps them.
create table login_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- A test event tells of no payment.
alter table webhook_events alter column payment_id drop not null;
alter table webhook_events drop constraint webhook_events_type_check;
alter table webhook_events add constraint webhook_events_type_check check (
  type in ('payment.paid', 'payment.failed', 'payment.expired', 'payment.cancelled', 'payment.challenged', 'webhook.test'));
alter table webhook_events add constraint webhook_events_tell_of_a_payment check ((payment_id is null) = (type = 'webhook.test'));

-- Lists are paged by id, which is in the order of time (UUIDv7).
create index payments_by_mode on payments (tenant_id, mode, id);
create index webhook_events_by_status on webhook_events (tenant_id, status, id);
create index provider_callbacks_by_status on provider_callbacks (status, id);
create index provider_callbacks_payment on provider_callbacks (payment_id) where payment_id is not null;
