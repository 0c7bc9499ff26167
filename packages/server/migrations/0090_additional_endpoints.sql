-- Additional webhook endpoints. In addition to the callback URL, a tenant can have up to ten endpoints per mode, each with
-- its own filter of event types and its own retry schedule (docs/decisions/0073-additional-webhook-endpoints.md).
create table additional_endpoints (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  -- Each endpoint of a tenant and mode has a slot. With ten slots, concurrent requests cannot create an eleventh endpoint.
  slot smallint not null constraint additional_endpoints_are_ten_at_most check (slot between 1 and 10),
  url text not null,
  description text not null,
  -- An empty list means all types.
  event_types text[] not null,
  schedule text not null check (schedule in ('short', 'long')),
  enabled boolean not null default true,
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint additional_endpoints_one_per_slot unique (tenant_id, mode, slot),
  constraint additional_endpoints_one_per_url unique (tenant_id, mode, url),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);

-- One row for each event and endpoint. A delivery is created with its event, and deleted with it.
create table additional_deliveries (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'permanently_failed')),
  attempt_count integer not null default 0,
  -- When the next attempt is due; while a process has the lease of the delivery, when the lease expires.
  next_attempt_at timestamptz,
  -- A redelivery is one more attempt. If it fails, it is not repeated.
  is_redelivery boolean not null default false,
  primary key (tenant_id, event_id, endpoint_id),
  check ((status = 'pending') = (next_attempt_at is not null))
);
create index additional_deliveries_by_endpoint on additional_deliveries (tenant_id, endpoint_id, event_id);
create index additional_deliveries_due on additional_deliveries (tenant_id, endpoint_id, next_attempt_at, event_id)
  where status = 'pending';
create index additional_deliveries_undelivered on additional_deliveries (tenant_id, endpoint_id, status, event_id)
  where status in ('pending', 'permanently_failed');

create table additional_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_headers json,
  response_body text,
  signature text,
  error text,
  primary key (tenant_id, event_id, endpoint_id, number)
);

-- Creates the deliveries of new events in the transaction that inserts the events, so no event lacks a delivery. For
-- tenants without additional endpoints, this is one lookup in an index for each event.
create function queue_additional_deliveries() returns trigger language plpgsql as $$
declare
  endpoints json;
begin
  with queued as (
    insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
    select new_event.tenant_id, new_event.id, e.id, new_event.created_at
    from new_event join additional_endpoints e on e.tenant_id = new_event.tenant_id and e.mode = new_event.mode
    where e.enabled and (e.event_types = '{}' or new_event.type = any(e.event_types))
    returning tenant_id, endpoint_id
  ), endpoint as (
    select distinct tenant_id, endpoint_id from queued
  )
  select json_agg(endpoint) into endpoints from endpoint;
  if endpoints is not null then
    perform enqueue('deliver_to_endpoints', array[json_build_object('endpoints', endpoints)], array[null]::text[]);
  end if;
  return null;
end $$;
create trigger webhook_events_queue_additional_deliveries after insert on webhook_events
  referencing new table as new_event for each statement execute function queue_additional_deliveries();

alter table additional_endpoints enable row level security;
create policy everybody on additional_endpoints using (true);
create policy tenants_in_scope on additional_endpoints as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, update, delete on additional_endpoints to gapura_tenant;

alter table additional_deliveries enable row level security;
create policy everybody on additional_deliveries using (true);
create policy tenants_in_scope on additional_deliveries as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, update on additional_deliveries to gapura_tenant;

alter table additional_attempts enable row level security;
create policy everybody on additional_attempts using (true);
create policy tenants_in_scope on additional_attempts as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select on additional_attempts to gapura_tenant;
