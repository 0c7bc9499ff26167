-- Adds words for parts of the payment code and for the end of a virtual account number or store code. Payments that
-- already have their words keep them: of their code, a search finds the beginning and the end.

-- The words of a payment, separated by spaces. A reference is one word without punctuation, and U+001F separates
-- references from each other. U+001E begins the phone number, whose first 0 is replaced by the country code.
--
-- `>` begins the last seven and the last four characters of the payment code. A search for a part of the code omits up to
-- two characters at its beginning, so that it finds one of these words. `<` begins a reversed virtual account number or
-- store code, which is searched from the end. Before this migration, `<` began the reversed end of the payment code.
create or replace function payment_search_text(p payments) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(p.customer_name || ' ' || p.customer_email || ' ' || p.payment_code),
      '[ \t\n\r!-/:-@[-`{-~]+', ' ', 'g')
    || lower(' >' || right(p.payment_code, 7) || ' >' || right(p.payment_code, 4))
    || ' =' || p.amount || ' #' || p.channel || ' '
    || translate(replace(regexp_replace(
      lower(p.idempotency_key || U&'\001f' || coalesce(p.provider_payment_id, '') || U&'\001f'
        || coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code', '') || U&'\001e'
        || p.customer_phone),
      '[ \t\n\r!-/:-@[-`{-~]+', '', 'g'), U&'\001e0', ' 62'), U&'\001f\001e', '  ')
    || coalesce(' <' || reverse(regexp_replace(
      lower(coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code')),
      '[ \t\n\r!-/:-@[-`{-~]+', '', 'g')), '')
$$;
