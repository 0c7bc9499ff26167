-- The receiver's response headers, and the signatures that the request had, of each attempt to deliver a webhook to the
-- callback URL. Attempts of earlier versions have neither.
alter table webhook_attempts add column response_headers json, add column signature text;
