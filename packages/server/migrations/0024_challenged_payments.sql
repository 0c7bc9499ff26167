-- What waits for the Owner's word, of all tenants and longest first. It is seldom much; all other payments are not in it.
drop index concurrently if exists payments_challenged;
create index concurrently payments_challenged on payments (updated_at, tenant_id, id) where status = 'challenged';
