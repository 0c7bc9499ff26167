-- Where the payer returns to after a provider's page, and the payer's IP address, as the merchant sent them. A payment
-- that is charged again, at another account or after a crash, needs both. Null where the merchant sent none.
alter table payments
  add column return_url text,
  add column customer_ip text;
