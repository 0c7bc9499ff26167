-- Finds events of rare types without reading a tenant's events of the two common types, which need no index: one of them
-- is found soon among the latest events. New payments add no row to this index until they end in a rare way.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists webhook_events_of_rare_types;
create index concurrently webhook_events_of_rare_types on webhook_events (tenant_id, type, id)
  where type <> 'payment.paid' and type <> 'payment.expired';
