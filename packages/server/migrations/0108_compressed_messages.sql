-- Columns for messages that the service compresses (docs/decisions/0080-compressed-messages.md). A row has either the
-- message itself or its compressed form.

alter table webhook_events add column body_compressed bytea;
alter table webhook_events alter column body drop not null;
alter table webhook_events add constraint webhook_events_have_one_body
  check ((body is null) <> (body_compressed is null)) not valid;

-- The compressed message of a callback contains its headers and its body. A callback that is not applied yet is stored
-- uncompressed, so that workers of the previous release can apply it.
alter table provider_callbacks add column message_compressed bytea;
alter table provider_callbacks alter column headers drop not null;
alter table provider_callbacks alter column body drop not null;
alter table provider_callbacks add constraint provider_callbacks_have_one_message
  check ((body is null) = (headers is null) and (body is null) <> (message_compressed is null)
    and (body is not null or status <> 'received')) not valid;
