-- Lists of deliveries show one mode. Without this index, the list of a mode with few events would read all events of the
-- other mode.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists webhook_events_by_mode;
create index concurrently webhook_events_by_mode on webhook_events (tenant_id, mode, id);
