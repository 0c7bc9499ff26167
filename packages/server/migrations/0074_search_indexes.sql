-- The search of 0071 replaces these indexes. Searches of the previous release are slower until its processes end.
drop index payments_customer_name;
drop index payments_customer_email;
drop index payments_customer_phone;
drop index payments_provider_payment_id;
