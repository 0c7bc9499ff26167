-- Events are born held: in the statement that inserts them next_attempt_at is set ahead, and their job may attempt
-- them until then without claiming each (docs/decisions/0018-webhook-lanes.md). What the version before inserts is
-- due at once, and is found in the table.

-- Set on an event while a later one of its payment waits for it, under the row lock that settling it takes, too; so
-- whoever settles it knows whether anybody waits, and asks only then.
alter table webhook_events add column is_followed boolean not null default false;

-- What is due is looked for tenant by tenant, so that no tenant's events hide another's.
drop index webhook_events_due;
