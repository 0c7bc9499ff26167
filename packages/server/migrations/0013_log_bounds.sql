-- Logs are partitioned by time: provider_callbacks by its id and webhook_attempts by its event's, which are UUIDs of
-- version 7 and so begin with the time (docs/decisions/0016-partitions.md). The rows that are there become the first
-- partition, which reaches to the end of next month. Here that end only begins to hold for new rows, which takes no
-- time; the migration that makes the partitions proves it for the others while writing goes on.
do $$
declare
  ends timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
  before_id uuid := lpad(to_hex((extract(epoch from ends) * 1000)::bigint), 12, '0') || repeat('0', 20);
begin
  execute format('alter table provider_callbacks add constraint provider_callbacks_bound check (id < %L) not valid', before_id);
  execute format('alter table webhook_attempts add constraint webhook_attempts_bound check (event_id < %L) not valid', before_id);
end $$;
