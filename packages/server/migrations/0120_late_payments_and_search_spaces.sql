-- Finds payments that a provider accepted long after their creation, for example after an outage. Accepting a payment
-- creates no webhook event, so the live updates (src/live/polled-rows.sql.ts) find such payments with this index. Nearly
-- every payment is accepted within seconds and adds no row to it.
-- allow concurrently-by-itself: each of these statements can be repeated
drop index concurrently if exists payments_accepted_late;
create index concurrently payments_accepted_late on payments (tenant_id, updated_at)
  where status = 'pending' and updated_at - created_at > interval '50 seconds';

-- Search words and phone numbers are now also split at the spaces and dashes of Unicode, such as the non-breaking space
-- U+00A0. Before, `Budi Santoso` with such a space was one word, which a search for `santoso` did not find. Payments that
-- already have their words keep them. src/payments/read/search-query.ts splits search texts at the same characters.
create or replace function payment_search_text(p payments) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(p.customer_name || ' ' || p.customer_email || ' ' || p.payment_code),
      '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
      ' ', 'g')
    || lower(' >' || right(p.payment_code, 7) || ' >' || right(p.payment_code, 4))
    || ' =' || p.amount || ' #' || p.channel || ' '
    || translate(replace(regexp_replace(
      lower(p.idempotency_key || U&'\001f' || coalesce(p.provider_payment_id, '') || U&'\001f'
        || coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code', '') || U&'\001e'
        || p.customer_phone),
      '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
      '', 'g'), U&'\001e0', ' 62'), U&'\001f\001e', '  ')
    || coalesce(' <' || reverse(regexp_replace(
      lower(coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code')),
      '[ \t\n\r!-/:-@[-`{-~]+', '', 'g')), '')
$$;
create or replace function search_reference(content text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(content),
    '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
    '', 'g')
$$;
