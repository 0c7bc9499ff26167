-- Fills the search for older payments. It locks no payment, and the trigger of 0071 writes newer ones meanwhile.
insert into payment_search (tenant_id, payment_id, words)
select p.tenant_id, p.id, payment_search_words(p) from payments p
where p.status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged')
on conflict (tenant_id, payment_id) do nothing;
