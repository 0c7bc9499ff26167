-- One row per payment that the API shows, with the words by which people search (docs/decisions/0071-search.md). A table
-- of its own, because each change of a payment's status writes a new version of its row into every index of payments.
create table payment_search (
  tenant_id uuid not null,
  payment_id uuid not null,
  words tsvector not null,
  primary key (tenant_id, payment_id)
);
alter table payment_search enable row level security;
create policy everybody on payment_search using (true);
create policy tenants_in_scope on payment_search as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select on payment_search to gapura_tenant;

-- The words of a text: it is split at spaces and ASCII punctuation. src/payments/read/search-query.ts splits alike. It
-- runs for every payment, and translate() takes a fraction of the time of a regular expression.
create function search_words(content text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(
    translate(lower(content), E' \t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 36)), ' ')
$$;
-- A reference as one word, without spaces and punctuation.
create function search_reference(content text) returns text language sql immutable parallel safe as $$
  select translate(lower(content), E' \t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '')
$$;
-- A phone number with the country code.
create function search_phone(content text) returns text language sql immutable parallel safe as $$
  select case when left(number, 1) = '0' then '62' || substr(number, 2) else number end
  from search_reference(content) number
$$;

-- Every word begins with the end of the tenant's id, so that tenants rarely share a word in the index. `<` begins the
-- reversed end of a payment code, which is searched from the end, `=` an amount in cents, and `#` a channel.
create function payment_search_words(p payments) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(
    select distinct left(right(p.tenant_id::text, 4) || word, 200)
    from unnest(
      search_words(p.customer_name) || search_words(p.customer_email)
      || search_words(p.payment_code) || array[
        '<' || reverse(lower(split_part(p.payment_code, '-', 2))),
        '=' || p.amount,
        '#' || p.channel,
        search_reference(p.idempotency_key),
        search_reference(coalesce(p.provider_payment_id, '')),
        search_reference(coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code', '')),
        search_phone(p.customer_phone)
      ]) word
    where word <> ''))
$$;

create function index_payment_words() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into payment_search (tenant_id, payment_id, words)
  values (new.tenant_id, new.id, payment_search_words(new))
  on conflict (tenant_id, payment_id) do update set words = excluded.words;
  return null;
end $$;

-- Payments with an internal status are not searched. A trigger, because processes of the previous release also write
-- payments during an upgrade.
create trigger payments_are_searched_when_shown after insert on payments for each row
  when (new.status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged'))
  execute function index_payment_words();
create trigger payments_are_searched after update on payments for each row
  when (new.status in ('pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged') and (
    old.status in ('charging', 'unknown', 'uncharged', 'rejected')
    or (new.method_data, new.provider_payment_id, new.customer_name, new.customer_email, new.customer_phone)
      is distinct from
      (old.method_data, old.provider_payment_id, old.customer_name, old.customer_email, old.customer_phone)))
  execute function index_payment_words();

-- Row-level security prevents an index search with an operator that is not leakproof. This function therefore runs as the
-- owner of the tables and checks the scope itself.
create function find_payments(of_tenant uuid, query tsquery, before_id uuid, at_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off as $$
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  -- The words are searched first, by their index: the other conditions match far more rows.
  return query
    with found as materialized (select s.tenant_id, s.payment_id from payment_search s where s.words @@ query)
    select f.payment_id from found f where f.tenant_id = of_tenant and f.payment_id < before_id
    order by f.payment_id desc limit at_most;
end $$;
revoke execute on function find_payments(uuid, tsquery, uuid, integer) from public;
grant execute on function find_payments(uuid, tsquery, uuid, integer) to gapura_tenant;
revoke execute on function index_payment_words() from public;
