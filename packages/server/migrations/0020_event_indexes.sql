-- What is to be done with an event is asked of the queue.
drop index webhook_events_by_status;
drop index webhook_events_due;
drop index webhook_events_due_of_tenant;
