-- A callback without a reference of ours identifies its payment by the provider's id.
drop index concurrently if exists payments_of_account_by_provider_id;
create index concurrently payments_of_account_by_provider_id on payments (provider_account_id, provider_payment_id)
  where provider_payment_id is not null;
