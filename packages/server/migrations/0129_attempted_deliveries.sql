-- Finds the newest deliveries to an additional endpoint that were attempted (notices/find-conditions.sql.ts). While an
-- endpoint does not respond, thousands of newer deliveries wait for their first attempt.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists additional_deliveries_attempted;
create index concurrently additional_deliveries_attempted on additional_deliveries (tenant_id, endpoint_id, event_id)
  where attempt_count > 0;
