-- The trigger of 0014 puts what waits or failed into the queue. By itself, since the events are read through for it: nothing
-- but those rows is locked meanwhile.
update webhook_events set status = status where status in ('pending', 'permanently_failed', 'not_configured');
