-- outside a transaction
-- Every delivery changed the index of all events by their status. Of those that were delivered, which are most, nobody
-- asks for but by their time; so it holds the others. Those that are pending have an index of their own.
create index concurrently if not exists webhook_events_undelivered on webhook_events (tenant_id, status, id)
  where status in ('permanently_failed', 'not_configured');
drop index concurrently if exists webhook_events_by_status;
