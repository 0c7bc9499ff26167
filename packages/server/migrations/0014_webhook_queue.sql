-- An event is a fact that never changes: what is to be done with it stands in a narrow table, and is gone when the
-- event is delivered (docs/decisions/0018-webhook-lanes.md). Settling an event used to copy its body.
create table webhook_queue (
  tenant_id uuid not null,
  event_id uuid not null,
  status text not null check (status in ('pending', 'permanently_failed', 'not_configured')),
  attempt_count integer not null default 0,
  attempts_left integer not null,
  -- When the next attempt is due; while a process holds the event, when its hold lapses.
  next_attempt_at timestamptz,
  -- The payment's next event, which waits for this one, under the hold that it had then.
  follower_id uuid,
  follower_held_until timestamptz,
  primary key (tenant_id, event_id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((follower_id is null) = (follower_held_until is null))
);

-- The version before goes on with the columns of the events, whose status it finds delivered: what it inserts, ends or
-- opens again there is put into the new table, and goes on by this version. They go with the next version.
alter table webhook_events alter column status set default 'delivered', alter column attempts_left set default 0;

create function queue_event() returns trigger language plpgsql as $$
begin
  if new.status = 'delivered' then
    delete from webhook_queue where tenant_id = new.tenant_id and event_id = new.id;
    return new;
  end if;
  insert into webhook_queue (tenant_id, event_id, status, attempt_count, attempts_left, next_attempt_at)
  values (new.tenant_id, new.id, new.status, new.attempt_count, new.attempts_left, new.next_attempt_at)
  on conflict (tenant_id, event_id) do update
  set status = excluded.status, attempt_count = excluded.attempt_count, attempts_left = excluded.attempts_left,
      next_attempt_at = excluded.next_attempt_at
  -- What is pending here is delivered there, so it may be asked for once more there, which changes nothing.
  where webhook_queue.status <> 'pending' or excluded.attempt_count > webhook_queue.attempt_count;
  new.status := 'delivered';
  new.next_attempt_at := null;
  return new;
end $$;

create trigger webhook_events_inserted before insert on webhook_events
  for each row when (new.status <> 'delivered') execute function queue_event();
create trigger webhook_events_changed before update of status on webhook_events
  for each row execute function queue_event();

create index webhook_queue_due on webhook_queue (tenant_id, next_attempt_at) where status = 'pending';
create index webhook_queue_undelivered on webhook_queue (tenant_id, status, event_id)
  where status in ('permanently_failed', 'not_configured');

-- Rows of nobody, of which nothing is ever due. Most of the time the queue is all but empty, and PostgreSQL would plan to
-- read it through for every statement, and go on so for a minute when it fills. Believing that there are this many, and
-- of one tenant, it looks up what is asked for by the whole key.
insert into webhook_queue (tenant_id, event_id, status, attempts_left)
select '00000000-0000-0000-0000-000000000000', lpad(to_hex(n), 32, '0')::uuid, 'not_configured', 0
from generate_series(1, 5000) n;
