-- Payments that the version before this one created are checked a minute before their expiry, and challenged ones never.
-- A job brings them into the schedule, a thousand at a time, when the processes of that version have stopped.
select enqueue('schedule_inquiries', array['{}']::json[], array['schedule_inquiries'], now() + interval '10 minutes')
where exists (select from payments);

-- When the sweep last claimed the payment for a check. A payer or merchant who waits brings the next check forward, but
-- to no earlier than 45 seconds after the last one.
alter table payments add column last_checked_at timestamptz;
