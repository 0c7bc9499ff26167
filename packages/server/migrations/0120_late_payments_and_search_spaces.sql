-- Finds payments that a provider accepted long after their creation, for example after an outage. Accepting a payment
-- creates no webhook event, so the live updates (src/live/polled-rows.sql.ts) find such payments with this index. Nearly
-- every payment is accepted within seconds and adds no row to it.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists payments_accepted_late;
create index concurrently payments_accepted_late on payments (tenant_id, updated_at)
  where status = 'pending' and updated_at - created_at > interval '50 seconds';
