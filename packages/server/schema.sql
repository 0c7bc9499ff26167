-- Generated from the migrations by `pnpm generate`; not to be edited.

create sequence ledger_rounds as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

create sequence rejected_callback_slots as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

CREATE OR REPLACE FUNCTION public.announce_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET bytea_output TO 'hex'
AS $function$
begin
  -- tg_argv: the kind, and the column that is the key.
  perform pg_notify('gapura_changes', tg_argv[0] || ' ' || key)
  from (values (to_jsonb(old) ->> tg_argv[1]), (to_jsonb(new) ->> tg_argv[1])) as keys (key) where key is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.append_to_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  broken record;
  moved integer;
  balances_of_entries integer;
begin
  select entry.tenant_id, entry.mode, entry.version into broken
  from appended entry
  left join ledger_entries previous
    on previous.tenant_id = entry.tenant_id and previous.mode = entry.mode and previous.version = entry.version - 1
  where (entry.version > 1 and previous.version is null)
     or entry.balance_after <> coalesce(previous.balance_after, 0)
        + case entry.entry_type when 'credit' then entry.amount else -entry.amount end
  limit 1;
  if found then
    raise exception 'entry % of balance (%, %) does not follow the one before it', broken.version, broken.tenant_id, broken.mode
      using errcode = 'check_violation';
  end if;

  update balances set balance = last.balance_after, version = last.version
  from (
    select distinct on (tenant_id, mode) tenant_id, mode, balance_after, version
    from appended order by tenant_id, mode, version desc
  ) last
  where balances.tenant_id = last.tenant_id and balances.mode = last.mode;
  get diagnostics moved = row_count;
  select count(distinct (tenant_id, mode)) into balances_of_entries from appended;
  if moved <> balances_of_entries then
    raise exception 'an entry has no balance' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from balances b
  left join lateral (
    select e.version, e.balance_after from ledger_entries e
    where e.tenant_id = new.tenant_id and e.mode = new.mode order by e.version desc limit 1
  ) last on true
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and (b.version, b.balance) = (coalesce(last.version, 0), coalesce(last.balance_after, 0));
  if not found then
    raise exception 'balance (%, %) is not what its last entry says', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_book()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from balances b
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and b.balance + (
      select coalesce(sum(a.balance), 0) from book_accounts a where a.tenant_id = new.tenant_id and a.mode = new.mode) = 0;
  if not found then
    raise exception 'the accounts of book (%, %) do not sum to zero', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_entry_names_its_money()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  kind_of_money text;
begin
  select m.kind into kind_of_money from unexpected_money m
  where m.id = new.unexpected_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id and m.mode = new.mode
    and case
      when m.return_status is not null then new.amount = m.amount
        and (new.entry_type = 'debit' or exists (
          select from ledger_entries e
          where e.tenant_id = new.tenant_id and e.unexpected_money_id = m.id and e.entry_type = 'debit'))
      when new.entry_type = 'credit' then m.kind <> 'reversal' and new.amount = m.amount
      else new.amount <= m.amount
    end;
  if not found then
    raise exception 'an entry of % does not follow from unexpected money %', new.amount, new.unexpected_money_id
      using errcode = 'check_violation';
  end if;
  if kind_of_money = 'reversal' then
    update payments set amount_reversed = amount_reversed + new.amount
    where tenant_id = new.tenant_id and id = new.payment_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_entry_names_its_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  refund refunds;
begin
  select * into refund from refunds r
  where r.tenant_id = new.tenant_id and r.id = new.refund_id and r.payment_id = new.payment_id and r.mode = new.mode
    and r.amount = new.amount and r.unexpected_money_id is not distinct from new.unexpected_money_id
    and r.source <> 'uncredited' and (new.entry_type = 'debit' or r.status = 'failed');
  if not found then
    raise exception 'an entry of % does not follow from refund %', new.amount, new.refund_id using errcode = 'check_violation';
  end if;
  if new.entry_type = 'debit' and refund.origin = 'merchant' and new.balance_after < 0 then
    raise exception 'the balance does not cover refund %', new.refund_id
      using errcode = 'check_violation', constraint = 'ledger_entries_cover_refunds';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_fee_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform
  from fee_charges c
  cross join lateral (
    select sum(f.net) as net, sum(f.tax) as tax, sum(f.operator_net) as operator_net, sum(f.operator_tax) as operator_tax
    from fee_charges f where f.tenant_id = new.tenant_id and f.payment_id = new.payment_id
  ) left_over
  where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id and c.number = 0
    and left_over.net between 0 and c.net and left_over.tax between 0 and c.tax
    and left_over.operator_net between 0 and c.operator_net and left_over.operator_tax between 0 and c.operator_tax
    and left_over.net + left_over.tax = (
      select sum(case e.entry_type when 'debit' then e.amount else -e.amount end) from ledger_entries e
      where e.tenant_id = new.tenant_id and e.payment_id = new.payment_id and e.counter_account = '00000000-0000-0000-0000-000000000003');
  if not found then
    raise exception 'the changes of the fee of payment % do not follow from its charge', new.payment_id
      using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_fee_charge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from payments p
  where p.tenant_id = new.tenant_id and p.id = new.payment_id and new.net + new.tax <= p.amount_paid
    and array[new.net + new.tax] = (
      select array_agg(e.amount) from ledger_entries e
      where e.tenant_id = new.tenant_id and e.payment_id = new.payment_id and e.entry_type = 'debit'
        and e.counter_account = '00000000-0000-0000-0000-000000000003');
  if not found then
    raise exception 'the fee of payment % is not the debit of its fee', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_paid_is_credited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from ledger_entries
  where tenant_id = new.tenant_id and payment_id = new.id and entry_type = 'credit' and amount = new.amount_paid
    and unexpected_money_id is null and refund_id is null
    and counter_account is distinct from '00000000-0000-0000-0000-000000000003';
  if not found then
    raise exception 'payment % is paid without its credit of %', new.id, new.amount_paid using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_refund_is_left()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  paid bigint;
  refunded bigint;
  created bigint;
begin
  select amount_paid into paid from payments
  where tenant_id = new.tenant_id and id = new.payment_id and mode = new.mode for update;
  if not found then
    raise exception 'refund % has no payment', new.id using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  select coalesce(sum(amount) filter (where status <> 'failed' and source = 'amount_paid'), 0),
         count(*) filter (where origin = 'merchant')
  into refunded, created from refunds where tenant_id = new.tenant_id and payment_id = new.payment_id;
  if new.source = 'amount_paid' and (paid is null or new.origin in ('merchant', 'operator') and refunded > paid) then
    raise exception 'refunds of % exceed the amount paid of payment %', refunded, new.payment_id
      using errcode = 'check_violation', constraint = 'refunds_are_left';
  end if;
  if new.origin = 'merchant' and created > 100 then
    raise exception 'payment % has more than 100 refunds', new.payment_id
      using errcode = 'check_violation', constraint = 'refunds_are_limited';
  end if;
  if new.refunded_money_id is not null then
    perform from unexpected_money m
    where m.id = new.refunded_money_id and m.tenant_id = new.tenant_id and m.payment_id = new.payment_id
      and m.mode = new.mode and m.return_status is null and m.kind <> 'reversal' and m.status = 'refunded'
      and m.credited = (new.source <> 'uncredited') and new.amount <= m.amount;
    if not found then
      raise exception 'refund % does not follow from unexpected money %', new.id, new.refunded_money_id
        using errcode = 'check_violation', constraint = 'refunds_are_left';
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_refund_is_posted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  debits integer;
  credits integer;
  in_transit bigint;
  remainder bigint;
  refund refunds;
begin
  select * into refund from refunds where tenant_id = new.tenant_id and id = new.id;
  select count(*) filter (where entry_type = 'debit'), count(*) filter (where entry_type = 'credit') into debits, credits
  from ledger_entries where tenant_id = new.tenant_id and payment_id = new.payment_id and refund_id = new.id;
  if refund.source = 'uncredited' then
    -- The money leaves the provider's account in the book, and waits in transit while the refund is pending.
    select coalesce(sum(case '00000000-0000-0000-0000-000000000005'::uuid when to_account then amount when from_account then -amount end), 0)
    into in_transit from book_transfers
    where tenant_id = new.tenant_id and payment_id = new.payment_id and reference_id = new.reference;
    if debits + credits <> 0 or in_transit <> (case refund.status when 'pending' then refund.amount else 0 end) then
      raise exception 'refund % of money that was not credited is not posted', new.id using errcode = 'check_violation';
    end if;
  elsif debits <> 1 or credits <> (refund.status = 'failed')::integer then
    raise exception 'refund % is not debited once, or credited back without having failed', new.id using errcode = 'check_violation';
  end if;
  if refund.unexpected_money_id is not null and refund.status <> 'failed' then
    perform from refunds r
    join unexpected_money other on other.id = r.unexpected_money_id
    join unexpected_money own on own.id = refund.unexpected_money_id
    where r.tenant_id = new.tenant_id and r.payment_id = new.payment_id and r.id <> new.id and r.status <> 'failed'
      and other.kind = own.kind and other.provider_account_id = own.provider_account_id
      and other.reference = own.reference and other.provider_id = own.provider_id;
    if found then
      raise exception 'refund % debits what another refund has debited for the same refund or chargeback of the provider', new.id
        using errcode = 'check_violation', constraint = 'refunds_are_posted';
    end if;
  end if;
  if tg_op = 'INSERT' and refund.origin in ('provider', 'chargeback') and refund.reason = '' then
    select coalesce(sum(case entry_type when 'credit' then amount else -amount end), 0) into remainder
    from ledger_entries
    where tenant_id = new.tenant_id and payment_id = new.payment_id
      and counter_account is distinct from '00000000-0000-0000-0000-000000000003'
      and counter_account is distinct from '00000000-0000-0000-0000-000000000004';
    if remainder < 0 then
      raise exception 'refund % exceeds what was received for payment % by %', new.id, new.payment_id, -remainder
        using errcode = 'check_violation', constraint = 'refunds_are_posted';
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_refund_of_money_failed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  standing integer;
  failed integer;
begin
  select count(*) filter (where status <> 'failed'), count(*) filter (where status = 'failed') into standing, failed
  from refunds where tenant_id = new.tenant_id and refunded_money_id = new.id;
  if failed = 0 or standing > 0 and exists (select from unexpected_money where id = new.id and status <> 'refunded') then
    raise exception 'unexpected money % is open again, but its refund did not fail', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_seals_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  broken record;
begin
  select seal.tenant_id, seal.mode, seal.from_version into broken
  from appended seal
  left join ledger_seals previous
    on previous.tenant_id = seal.tenant_id and previous.mode = seal.mode and previous.to_version = seal.from_version - 1
  where (seal.from_version > 1 and previous.to_version is null)
     or seal.previous_hash <> coalesce(previous.hash, decode(repeat('00', 32), 'hex'))
     or not exists (
       select from ledger_entries e
       where e.tenant_id = seal.tenant_id and e.mode = seal.mode and e.version = seal.to_version)
  limit 1;
  if found then
    raise exception 'the seal from % of balance (%, %) does not follow the one before it',
      broken.from_version, broken.tenant_id, broken.mode using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.complete_books(at_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  book book_backfills := row('00000000-0000-0000-0000-000000000000', '', 0, 0);
  through bigint;
begin
  while at_most > 0 loop
    select * into book from book_backfills where (tenant_id, mode) > (book.tenant_id, book.mode)
    order by tenant_id, mode limit 1 for update skip locked;
    exit when not found;
    through := least(book.next_version + at_most - 1, book.last_version);
    update ledger_entries set counter_account = provider_account_of(tenant_id, payment_id, unexpected_money_id)
    where tenant_id = book.tenant_id and mode = book.mode and version between book.next_version and through
      and counter_account is null;
    if through = book.last_version then
      delete from book_backfills where tenant_id = book.tenant_id and mode = book.mode;
    else
      update book_backfills set next_version = through + 1 where tenant_id = book.tenant_id and mode = book.mode;
    end if;
    at_most := at_most - (through - book.next_version + 1)::integer;
  end loop;
  return exists (select from book_backfills);
end $function$;

CREATE OR REPLACE FUNCTION public.contrast_with_white(color text)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select 1.05::float8 / (0.05::float8 + sum(weight * case
    when part <= 0.04045 then part / 12.92 else power((part + 0.055) / 1.055, 2.4) end))
  from (
    select weight, get_byte(decode(substr(color, 2), 'hex'), place) / 255.0::float8 as part
    from (values (0, 0.2126::float8), (1, 0.7152::float8), (2, 0.0722::float8)) as channel (place, weight)
  ) parts
$function$;

CREATE OR REPLACE FUNCTION public.count_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  change bigint := case when new.status = 'succeeded' then new.amount else 0 end
    - case when tg_op = 'UPDATE' and old.status = 'succeeded' then old.amount else 0 end;
begin
  if change <> 0 then
    update payments
    set amount_refunded = amount_refunded + case when new.origin = 'chargeback' then 0 else change end,
        amount_reversed = amount_reversed + case when new.origin = 'chargeback' then change else 0 end
    where tenant_id = new.tenant_id and id = new.payment_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_log_partition(log text, named text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  oldest record;
  shortest_days integer := case log when 'api_requests' then 30 else 90 end;
begin
  perform from last_log_partition(log);
  select c.oid::regclass as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]{36})''') as bound into strict oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = log::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  order by 2 limit 1;
  if oldest.name is distinct from to_regclass(quote_ident(named)) then
    raise exception '% is not the oldest of %', named, log using errcode = 'invalid_parameter_value';
  end if;
  if ('x' || translate(left(oldest.bound, 13), '-', ''))::bit(48)::bigint > extract(epoch from now() - make_interval(days => shortest_days)) * 1000 then
    raise exception '% has what is younger than % days', named, shortest_days using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %s', oldest.name);
  execute format('delete from %I where %I < %L', log || '_default',
    case log when 'webhook_attempts' then 'event_id' else 'id' end, oldest.bound);
end $function$;

CREATE OR REPLACE FUNCTION public.enqueue(task text, payloads json[], keys text[], due timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT 0)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET plan_cache_mode TO 'force_generic_plan'
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select graphile_worker.add_jobs(array(
    select row(task, job.payload, null, due, 1000, job.key, priority, null)::graphile_worker.job_spec
    from unnest(payloads, keys) as job (payload, key)
  ))
$function$;

CREATE OR REPLACE FUNCTION public.erase_customers(of_tenant uuid, ids uuid[], at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  erased integer;
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return 0;
  end if;
  -- Refunds are inserted and changed while their payment is locked.
  perform from payments where tenant_id = of_tenant and id = any (ids) order by id for update;
  update payments p set customer_name = '', customer_email = '', customer_phone = '', customer_ip = null, customer_erased_at = at
  where tenant_id = of_tenant and id = any (ids) and customer_erased_at is null
    and (customer_name <> '' or customer_email <> '' or customer_phone <> '' or customer_ip is not null
         or exists (select from refunds r
                    where r.tenant_id = of_tenant and r.payment_id = p.id and r.bank_account is not null));
  get diagnostics erased = row_count;
  update refunds set bank_account = erased_bank_account(bank_account)
  where tenant_id = of_tenant and payment_id = any (ids) and status <> 'pending'
    and bank_account is distinct from erased_bank_account(bank_account);
  return erased;
end $function$;

CREATE OR REPLACE FUNCTION public.erase_final_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from payments
             where tenant_id = new.tenant_id and id = new.payment_id and customer_erased_at is not null)
    or exists (select from customer_erasures where tenant_id = new.tenant_id and erased_to >= new.payment_id) then
    new.bank_account := erased_bank_account(new.bank_account);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.erased_bank_account(account jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$ select account || '{"number": "", "holder_name": ""}' $function$;

CREATE OR REPLACE FUNCTION public.find_customers(of_tenant uuid, prefix text, at_most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  return query
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_name <> '' and lower(p.customer_name) like lower(prefix)
      order by lower(p.customer_name) using ~<~ limit at_most)
    union all
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_email <> '' and lower(p.customer_email) like lower(prefix)
      order by lower(p.customer_email) using ~<~ limit at_most)
    union all
    (select p.id from payments p where p.tenant_id = of_tenant and p.customer_phone <> '' and lower(p.customer_phone) like lower(prefix)
      order by lower(p.customer_phone) using ~<~ limit at_most);
end $function$;

CREATE OR REPLACE FUNCTION public.find_oldest_payments(of_tenant uuid, query tsquery, from_id uuid, at_most integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select search_payments(of_tenant, query, from_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, at_most)
$function$;

CREATE OR REPLACE FUNCTION public.find_payments(of_tenant uuid, query tsquery, before_id uuid, at_most integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select search_payments(of_tenant, query, '00000000-0000-0000-0000-000000000000', before_id, true, at_most)
$function$;

CREATE OR REPLACE FUNCTION public.grant_like(model regclass, other regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  each record;
begin
  -- What a new table has by default.
  for each in select distinct grantee from pg_class, aclexplode(relacl) where oid = other and grantee <> relowner loop
    execute format('revoke all on %s from %s', other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'));
  end loop;
  for each in
    select privilege_type as what, grantee, is_grantable from pg_class, aclexplode(relacl)
    where oid = model and grantee <> relowner and grantee <> 'gapura_tenant'::regrole
    union all
    select format('%s (%I)', privilege_type, attname), grantee, is_grantable from pg_attribute, aclexplode(attacl)
    where attrelid = model and grantee <> 'gapura_tenant'::regrole
  loop
    execute format('grant %s on %s to %s%s', each.what, other, coalesce(nullif(each.grantee, 0)::regrole::text, 'public'),
      case when each.is_grantable then ' with grant option' end);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.index_payment_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into payment_search (tenant_id, payment_id, words)
  values (new.tenant_id, new.id, payment_search_words(new))
  on conflict (tenant_id, payment_id) do update set words = excluded.words;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.invitations_of_partner(sender_id uuid, from_id uuid, to_email text, at_most integer)
 RETURNS SETOF timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  if current_setting('role') = 'gapura_tenant' and sender_id = any (tenants_in_scope()) is not true then
    raise exception 'the sender is not in the tenant scope' using errcode = 'insufficient_privilege';
  end if;
  return query
    select a.at from audit_log a
    where a.actor_tenant_id in (
        with partner as (select coalesce(t.parent_id, t.id) as id from tenants t where t.id = sender_id)
        select partner.id from partner union all select c.id from tenants c join partner on c.parent_id = partner.id)
      and a.id >= from_id and a.action in ('user.invite', 'user.resend_invitation')
      and (to_email is null or lower(a.after ->> 'email') = lower(to_email))
    order by a.at desc limit at_most;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_an_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from tenants where id = old.tenant_id for no key update;
  if not exists (select from users where tenant_id = old.tenant_id and status = 'active' and 'admin' = any (permissions)) then
    raise exception 'tenant % would have no active admin', old.tenant_id
      using errcode = 'check_violation', constraint = 'users_keep_an_admin';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('keep_an_owner'));
  perform from tenants where role = 'owner' and status = 'active' and id <> old.id;
  if not found then
    raise exception 'tenant % is the last active owner', old.id
      using errcode = 'check_violation', constraint = 'tenants_keep_an_owner';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_previous_webhook_secret()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into previous_webhook_secrets (tenant_id, secret_sealed, expires_at)
  values (new.tenant_id, new.previous_secret_sealed, new.previous_secret_expires_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.last_log_partition(log text, OUT name text, OUT before timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if log not in ('provider_callbacks', 'webhook_attempts', 'api_requests') then
    raise exception '% is no log', log using errcode = 'invalid_parameter_value';
  end if;
  select partition.relname, timestamptz 'epoch' + interval '1 millisecond' * ('x' || translate(left(bound, 13), '-', ''))::bit(48)::bigint
  into strict name, before
  from (
    select c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO [(]''([0-9a-f-]{36})''') as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = log::regclass
  ) partition
  where bound is not null order by bound desc limit 1;
end $function$;

CREATE OR REPLACE FUNCTION public.make_log_partition(log text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  month timestamp := (select before from last_log_partition(log)) at time zone 'UTC';
  made text := log || to_char(month, '"_"YYYY"_"MM');
  spare text := log || '_default';
  key text := case log when 'webhook_attempts' then 'event_id' else 'id' end;
  bounds text[] := array(
    select overlay(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) || '-0000-0000-000000000000'
    from unnest(array[month, month + interval '1 month']) as at);
begin
  execute format('lock table %I in access exclusive mode', spare);
  execute format('create table %I (like %I including all)', made, log);
  perform grant_like(log::regclass, made::regclass);
  execute format('with waiting as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from waiting',
    spare, key, bounds[1], bounds[2], made);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, made, bounds[1], bounds[2]);
  return made;
end $function$;

CREATE OR REPLACE FUNCTION public.merge_search_index()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not pg_try_advisory_xact_lock(hashtext('gapura_search_merges')) then
    return false;
  end if;
  perform gin_clean_pending_list('payment_search_by_period');
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.move_completed_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, account_id, sum(case entry_type when 'debit' then amount else -amount end)
  from (
    select tenant_id, mode, counter_account as account_id, entry_type, amount from completed
    union all
    select tenant_id, mode, '00000000-0000-0000-0000-000000000002', entry_type, -amount from completed
  ) posting
  group by tenant_id, mode, account_id order by tenant_id, mode, account_id
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_search_text(p payments)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.payment_search_words(p payments)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when octet_length(p.customer_name || p.customer_email || p.idempotency_key || coalesce(p.provider_payment_id, '')
      || coalesce(p.method_data ->> 'va_number', p.method_data ->> 'payment_code', '') || p.customer_phone) <= 190
    then words_of_tenant(right(p.tenant_id::text, 4), payment_search_text(p))
    else words_of_tenant(right(p.tenant_id::text, 4),
      regexp_replace(payment_search_text(p), '([^ ]{196})[^ ]+', '\1', 'g'))
  end
$function$;

CREATE OR REPLACE FUNCTION public.post_entries_to_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, counter_account, sum(case entry_type when 'debit' then amount else -amount end)
  from appended group by tenant_id, mode, counter_account order by tenant_id, mode, counter_account
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.post_transfers_to_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into book_accounts as account (tenant_id, mode, account_id, balance)
  select tenant_id, mode, account_id, sum(amount)
  from (
    select tenant_id, mode, to_account as account_id, amount from appended
    union all
    select tenant_id, mode, from_account, -amount from appended
  ) posting
  group by tenant_id, mode, account_id order by tenant_id, mode, account_id
  on conflict (tenant_id, mode, account_id) do update set balance = account.balance + excluded.balance;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.provider_account_of(of_tenant uuid, of_payment uuid, of_money uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select m.provider_account_id from unexpected_money m where m.id = of_money),
    (select coalesce(r.provider_account_id, p.provider_account_id)
     from payments p
     left join payment_references r
       on r.reference = p.paid_reference and r.tenant_id = p.tenant_id and r.payment_id = p.id
     where p.tenant_id = of_tenant and p.id = of_payment))
$function$;

CREATE OR REPLACE FUNCTION public.query_in_periods(query tsquery, of_tenant uuid, periods text[])
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select string_agg('(' || replace(query::text, '''' || tenant, '''' || period || tenant) || ')', '|')::tsquery
  from right(of_tenant::text, 4) tenant, unnest(periods) period
$function$;

CREATE OR REPLACE FUNCTION public.queue_additional_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  endpoints json;
begin
  with queued as (
    insert into additional_deliveries (tenant_id, event_id, endpoint_id, next_attempt_at)
    select new_event.tenant_id, new_event.id, e.id, new_event.created_at
    from new_event join additional_endpoints e on e.tenant_id = new_event.tenant_id and e.mode = new_event.mode
    where e.enabled and (e.event_types = '{}' or new_event.type = any(e.event_types))
    returning tenant_id, endpoint_id
  ), endpoint as (
    select distinct tenant_id, endpoint_id from queued
  )
  select json_agg(endpoint) into endpoints from endpoint;
  if endpoints is not null then
    perform enqueue('deliver_to_endpoints', array[json_build_object('endpoints', endpoints)], array[null]::text[]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'delivered' then
    delete from webhook_queue where tenant_id = new.tenant_id and event_id = new.id;
    return new;
  end if;
  insert into webhook_queue (tenant_id, event_id, status, attempt_count, attempts_left, next_attempt_at)
  values (new.tenant_id, new.id, new.status, new.attempt_count, new.attempts_left, new.next_attempt_at)
  on conflict (tenant_id, event_id) do update
  set status = excluded.status, attempt_count = excluded.attempt_count, attempts_left = excluded.attempts_left,
      next_attempt_at = excluded.next_attempt_at
  -- What is pending here is delivered there, so it may be asked for once more there, which changes nothing.
  where webhook_queue.status <> 'pending' or excluded.attempt_count > webhook_queue.attempt_count;
  new.status := 'delivered';
  new.next_attempt_at := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% of % refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.search_payments(of_tenant uuid, query tsquery, from_id uuid, before_id uuid, is_newest_first boolean, at_most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_seqscan TO 'off'
 SET work_mem TO '32MB'
AS $function$
declare
  most_rows constant integer := greatest(300, 3 * at_most);
  -- Reading this many matches takes about 15 ms.
  most_rows_of_period constant integer := greatest(10000, 3 * at_most);
  -- With many words, PostgreSQL's time per match grows with the number of words times the number of periods.
  most_periods integer := greatest(1, least(64, 256 / greatest(1, numnode(query))));
  -- PostgreSQL reads the index entries of all matches in the periods, so a search begins with few periods.
  periods_at_once integer := least(2, most_periods);
  next_id uuid;
  period integer;
  last_period integer;
  rows_read integer;
  found uuid[];
begin
  if current_setting('role') = 'gapura_tenant' and of_tenant = any (tenants_in_scope()) is not true then
    return;
  end if;
  while at_most > 0 loop
    -- The next period with payments. Periods without payments are skipped.
    next_id := case when is_newest_first
      then (select payment_id from payment_search where tenant_id = of_tenant and payment_id >= from_id
        and payment_id < before_id order by payment_id desc limit 1)
      else (select payment_id from payment_search where tenant_id = of_tenant and payment_id >= from_id
        and payment_id < before_id order by payment_id limit 1) end;
    exit when next_id is null;
    period := ('x' || left(next_id::text, 5))::bit(20)::integer;
    last_period := case when is_newest_first
      then greatest(period - periods_at_once + 1, 0) else least(period + periods_at_once - 1, x'fffff'::integer) end;

    -- The words are searched first, by their index: the other conditions match far more rows.
    with matching as materialized (
      select s.tenant_id, s.payment_id from payment_search s
      where words_of_period(s.payment_id, s.words) @@ query_in_periods(query, of_tenant, array(
        select lpad(to_hex(each), 5, '0')
        from generate_series(least(period, last_period), greatest(period, last_period)) each))
      limit case when periods_at_once > 1 then most_rows else most_rows_of_period end + 1)
    select count(*), array_agg(m.payment_id order by case when is_newest_first then m.payment_id end desc, m.payment_id)
      filter (where m.tenant_id = of_tenant and m.payment_id >= from_id and m.payment_id < before_id)
    into rows_read, found from matching m;
    if rows_read > most_rows and periods_at_once > 1 then
      most_periods := greatest(1, periods_at_once / 8);
      periods_at_once := most_periods;
      continue;
    end if;
    if rows_read > most_rows_of_period then
      found := array(
        select s.payment_id from payment_search s
        where s.tenant_id = of_tenant and s.payment_id >= from_id and s.payment_id < before_id
          and s.payment_id >= rpad(lpad(to_hex(period), 5, '0'), 32, '0')::uuid
          and s.payment_id <= rpad(lpad(to_hex(period), 5, '0'), 32, 'f')::uuid
          and s.words @@ query
        order by case when is_newest_first then s.payment_id end desc, s.payment_id
        limit at_most);
    end if;

    return query select unnest(found[1:at_most]);
    at_most := at_most - coalesce(cardinality(found), 0);
    if is_newest_first then
      before_id := rpad(lpad(to_hex(last_period), 5, '0'), 32, '0')::uuid;
    else
      -- No payment has this id, because the digit for the version of a UUID is never f.
      from_id := rpad(lpad(to_hex(last_period), 5, '0'), 32, 'f')::uuid;
    end if;
    if rows_read < most_rows / 8 then
      periods_at_once := least(periods_at_once * 4, most_periods);
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.search_phone(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when left(number, 1) = '0' then '62' || substr(number, 2) else number end
  from search_reference(content) number
$function$;

CREATE OR REPLACE FUNCTION public.search_reference(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select regexp_replace(lower(content),
    '[ \t\n\v\f\r!-/:-@[-`{-~\u0085\u00a0\u1680\u2000-\u200b\u2010-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff]+',
    '', 'g')
$function$;

CREATE OR REPLACE FUNCTION public.set_counter_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.counter_account := provider_account_of(new.tenant_id, new.payment_id, new.unexpected_money_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.set_tenants(tenants text)
 RETURNS text
 LANGUAGE sql
AS $function$
  select set_config('gapura.tenants', tenants, true)
$function$;

CREATE OR REPLACE FUNCTION public.tenants_in_scope()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('gapura.tenants', true), '')::uuid[]
$function$;

CREATE OR REPLACE FUNCTION public.words_of_period(payment_id uuid, words tsvector)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(string_to_array(
    left(payment_id::text, 5) || array_to_string(tsvector_to_array(words), ' ' || left(payment_id::text, 5)), ' '))
$function$;

CREATE OR REPLACE FUNCTION public.words_of_tenant(tenant text, content text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array_remove(string_to_array(tenant || replace(content, ' ', ' ' || tenant), ' '), tenant))
$function$;

create table account_outcomes (
  hour timestamp with time zone not null,
  provider_account_id uuid not null,
  paid integer not null,
  unpaid integer not null,
  constraint account_outcomes_pkey PRIMARY KEY (hour, provider_account_id),
  constraint account_outcomes_hour_check CHECK (hour = date_trunc('hour'::text, hour, 'UTC'::text)),
  constraint account_outcomes_paid_check CHECK (paid >= 0),
  constraint account_outcomes_unpaid_check CHECK (unpaid >= 0)
);
grant delete, insert, select, update on account_outcomes to gapura;

create table additional_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  response_status integer,
  response_headers json,
  response_body text,
  signature text,
  error text,
  constraint additional_attempts_pkey PRIMARY KEY (tenant_id, event_id, endpoint_id, number)
);
alter table additional_attempts enable row level security;
create policy everybody on additional_attempts using (true);
create policy tenants_in_scope on additional_attempts as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select on additional_attempts to gapura;
grant select on additional_attempts to gapura_tenant;

create table additional_deliveries (
  tenant_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'pending'::text,
  attempt_count integer not null default 0,
  next_attempt_at timestamp with time zone,
  is_redelivery boolean not null default false,
  constraint additional_deliveries_pkey PRIMARY KEY (tenant_id, event_id, endpoint_id),
  constraint additional_deliveries_check CHECK ((status = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  constraint additional_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'permanently_failed'::text]))
);
CREATE INDEX additional_deliveries_attempted ON additional_deliveries USING btree (tenant_id, endpoint_id, event_id) WHERE attempt_count > 0;
CREATE INDEX additional_deliveries_by_endpoint ON additional_deliveries USING btree (tenant_id, endpoint_id, event_id);
CREATE INDEX additional_deliveries_due ON additional_deliveries USING btree (tenant_id, endpoint_id, next_attempt_at, event_id) WHERE status = 'pending'::text;
CREATE INDEX additional_deliveries_undelivered ON additional_deliveries USING btree (tenant_id, endpoint_id, status, event_id) WHERE status = ANY (ARRAY['pending'::text, 'permanently_failed'::text]);
alter table additional_deliveries enable row level security;
create policy everybody on additional_deliveries using (true);
create policy tenants_in_scope on additional_deliveries as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on additional_deliveries to gapura;
grant insert, select, update on additional_deliveries to gapura_tenant;

create table additional_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null,
  slot smallint not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  schedule text not null,
  enabled boolean not null default true,
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint additional_endpoints_pkey PRIMARY KEY (tenant_id, id),
  constraint additional_endpoints_one_per_slot UNIQUE (tenant_id, mode, slot),
  constraint additional_endpoints_one_per_url UNIQUE (tenant_id, mode, url),
  constraint additional_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint additional_endpoints_are_ten_at_most CHECK (slot >= 1 AND slot <= 10),
  constraint additional_endpoints_check CHECK ((previous_secret_sealed IS NULL) = (previous_secret_expires_at IS NULL)),
  constraint additional_endpoints_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint additional_endpoints_schedule_check CHECK (schedule = ANY (ARRAY['short'::text, 'long'::text]))
);
alter table additional_endpoints enable row level security;
create policy everybody on additional_endpoints using (true);
create policy tenants_in_scope on additional_endpoints as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on additional_endpoints to gapura;
grant delete, insert, select, update on additional_endpoints to gapura_tenant;

create table api_keys (
  id uuid not null,
  tenant_id uuid not null,
  mode text not null,
  name text not null,
  key_hash bytea not null,
  display_prefix text not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  scopes text[] not null default '{}'::text[],
  allowed_ips cidr[] not null default '{}'::cidr[],
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint api_keys_key_hash_check CHECK (octet_length(key_hash) = 32),
  constraint api_keys_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint api_keys_scopes_are_known CHECK (scopes <@ '{payments:read,payments:write,refunds,payouts,reports}'::text[])
);
CREATE INDEX api_keys_tenant ON api_keys USING btree (tenant_id, id);
CREATE TRIGGER api_keys_announced AFTER DELETE OR UPDATE OF tenant_id, mode, key_hash, expires_at, revoked_at, scopes, allowed_ips ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_change('key', 'key_hash');
alter table api_keys enable row level security;
create policy everybody on api_keys using (true);
create policy tenants_in_scope on api_keys as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on api_keys to gapura;
grant insert, select (id, tenant_id, mode, name, display_prefix, created_by, created_at, last_used_at, expires_at, revoked_at, scopes, allowed_ips), update (expires_at, revoked_at, scopes, allowed_ips) on api_keys to gapura_tenant;

create table api_requests (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null,
  api_key_id uuid not null,
  request_id text not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  error_code text,
  error_field text,
  idempotency_key text,
  duration_ms integer not null,
  client_address text,
  user_agent text,
  payment_id uuid,
  payment_code text,
  constraint api_requests_pkey PRIMARY KEY (tenant_id, id),
  constraint api_requests_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
) partition by range (id);
CREATE INDEX api_requests_by_request_id ON ONLY api_requests USING btree (tenant_id, request_id, id);
alter table api_requests enable row level security;
create policy everybody on api_requests using (true);
create policy tenants_in_scope on api_requests as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on api_requests to gapura;
grant select on api_requests to gapura_tenant;

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null default now(),
  actor_tenant_id uuid,
  actor_user_id uuid,
  action text not null,
  tenant_id uuid,
  subject_id text,
  before jsonb,
  after jsonb,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor ON audit_log USING btree (actor_tenant_id, id);
CREATE INDEX audit_log_tenant ON audit_log USING btree (tenant_id, id);
CREATE TRIGGER audit_log_is_appended BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change('the audit log is append-only');
CREATE TRIGGER audit_log_is_kept BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is append-only');
alter table audit_log enable row level security;
create policy everybody on audit_log using (true);
create policy tenants_in_scope on audit_log as restrictive to gapura_tenant using (COALESCE(((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text) OR (split_part(current_setting('gapura.tenants'::text, true), (actor_tenant_id)::text, 2) <> ''::text)), false));
grant insert, select on audit_log to gapura;
grant insert, select on audit_log to gapura_tenant;

create table balances (
  tenant_id uuid not null,
  mode text not null,
  balance bigint not null default 0,
  version bigint not null default 0,
  constraint balances_pkey PRIMARY KEY (tenant_id, mode),
  constraint balances_are_exact CHECK (balance >= '-9007199254740991'::bigint AND balance <= '9007199254740991'::bigint) NOT VALID,
  constraint balances_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint balances_version_check CHECK (version >= 0)
);
CREATE TRIGGER balances_are_kept BEFORE DELETE ON balances FOR EACH ROW EXECUTE FUNCTION refuse_change('balances are kept');
CREATE CONSTRAINT TRIGGER balances_are_true AFTER INSERT OR UPDATE ON balances DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_balance();
alter table balances enable row level security;
create policy everybody on balances using (true);
create policy tenants_in_scope on balances as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on balances to gapura;
grant insert, select, update on balances to gapura_tenant;

create table book_accounts (
  tenant_id uuid not null,
  mode text not null,
  account_id uuid not null,
  balance bigint not null,
  constraint book_accounts_pkey PRIMARY KEY (tenant_id, mode, account_id),
  constraint book_accounts_leave_out_merchant CHECK (account_id <> '00000000-0000-0000-0000-000000000001'::uuid),
  constraint book_accounts_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX book_accounts_of_partners ON book_accounts USING btree (tenant_id, mode) WHERE account_id = '00000000-0000-0000-0000-000000000004'::uuid;
CREATE TRIGGER book_accounts_are_kept BEFORE DELETE ON book_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change('accounts are kept');
CREATE TRIGGER book_accounts_follow_postings BEFORE INSERT OR UPDATE ON book_accounts FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change('an account changes only with a transfer');
CREATE CONSTRAINT TRIGGER book_accounts_sum_to_zero AFTER INSERT OR UPDATE ON book_accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_book();
alter table book_accounts enable row level security;
create policy everybody on book_accounts using (true);
create policy tenants_in_scope on book_accounts as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant select on book_accounts to gapura;
grant select on book_accounts to gapura_tenant;

create table book_backfills (
  tenant_id uuid not null,
  mode text not null,
  next_version bigint not null,
  last_version bigint not null,
  constraint book_backfills_pkey PRIMARY KEY (tenant_id, mode),
  constraint book_backfills_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
alter table book_backfills enable row level security;
create policy everybody on book_backfills using (true);
create policy tenants_in_scope on book_backfills as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant select on book_backfills to gapura;

create table book_transfers (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null,
  from_account uuid not null,
  to_account uuid not null,
  amount bigint not null,
  payment_id uuid,
  reference_id text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  constraint book_transfers_pkey PRIMARY KEY (tenant_id, id),
  constraint book_transfers_tenant_id_payment_id_fkey FOREIGN KEY (tenant_id, payment_id) REFERENCES payments(tenant_id, id),
  constraint book_transfers_amount_check CHECK (amount > 0),
  constraint book_transfers_have_two_accounts CHECK (from_account <> to_account),
  constraint book_transfers_leave_out_merchant CHECK ('00000000-0000-0000-0000-000000000001'::uuid <> from_account AND '00000000-0000-0000-0000-000000000001'::uuid <> to_account AND '00000000-0000-0000-0000-000000000002'::uuid <> from_account AND '00000000-0000-0000-0000-000000000002'::uuid <> to_account),
  constraint book_transfers_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint book_transfers_say_why CHECK (reason ~ '\S'::text)
);
CREATE INDEX book_transfers_payment ON book_transfers USING btree (tenant_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX book_transfers_without_payment ON book_transfers USING btree (reference_id COLLATE "C") WHERE payment_id IS NULL;
CREATE TRIGGER book_transfers_are_appended BEFORE DELETE OR UPDATE ON book_transfers FOR EACH ROW EXECUTE FUNCTION refuse_change('the book is append-only; correct it with a new transfer');
CREATE TRIGGER book_transfers_are_kept BEFORE TRUNCATE ON book_transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the book is append-only; correct it with a new transfer');
CREATE TRIGGER book_transfers_are_posted AFTER INSERT ON book_transfers REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION post_transfers_to_accounts();
alter table book_transfers enable row level security;
create policy everybody on book_transfers using (true);
create policy tenants_in_scope on book_transfers as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on book_transfers to gapura;
grant insert, maintain, references, select, trigger on book_transfers to gapura_owner;
grant insert, select on book_transfers to gapura_tenant;

create table customer_erasures (
  tenant_id uuid not null,
  erased_to uuid not null,
  all_erased_to uuid,
  constraint customer_erasures_pkey PRIMARY KEY (tenant_id)
);
alter table customer_erasures enable row level security;
create policy everybody on customer_erasures using (true);
create policy tenants_in_scope on customer_erasures as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on customer_erasures to gapura;

create table entitlements (
  tenant_id uuid not null,
  provider_account_id uuid not null,
  priority integer not null default 100,
  created_at timestamp with time zone not null default now(),
  constraint entitlements_pkey PRIMARY KEY (tenant_id, provider_account_id),
  constraint entitlements_provider_account_id_fkey FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(id),
  constraint entitlements_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE TRIGGER entitlements_announced AFTER INSERT OR DELETE OR UPDATE ON entitlements FOR EACH ROW EXECUTE FUNCTION announce_change('routes', 'tenant_id');
alter table entitlements enable row level security;
create policy everybody on entitlements using (true);
create policy tenants_in_scope on entitlements as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on entitlements to gapura;
grant delete, insert, select, update on entitlements to gapura_tenant;

create table fee_charges (
  tenant_id uuid not null,
  payment_id uuid not null,
  number integer not null,
  mode text not null,
  method_type text not null,
  channel text not null,
  net bigint not null,
  tax bigint not null,
  operator_net bigint not null,
  operator_tax bigint not null,
  charged_at timestamp with time zone not null,
  constraint fee_charges_pkey PRIMARY KEY (tenant_id, payment_id, number),
  constraint fee_charges_tenant_id_payment_id_fkey FOREIGN KEY (tenant_id, payment_id) REFERENCES payments(tenant_id, id),
  constraint fee_charges_are_positive CHECK (number > 0 OR LEAST(net, tax, operator_net, operator_tax) >= 0 AND (net + tax) > 0 AND (operator_net + operator_tax) <= (net + tax)),
  constraint fee_charges_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint fee_charges_number_check CHECK (number >= 0)
);
CREATE INDEX fee_charges_by_day ON fee_charges USING btree (tenant_id, charged_at);
CREATE CONSTRAINT TRIGGER fee_changes_are_posted AFTER INSERT ON fee_charges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.number > 0) EXECUTE FUNCTION check_fee_change();
CREATE TRIGGER fee_charges_are_appended BEFORE DELETE OR UPDATE ON fee_charges FOR EACH ROW EXECUTE FUNCTION refuse_change('the fees are append-only; correct them with a new row');
CREATE CONSTRAINT TRIGGER fee_charges_are_debited AFTER INSERT ON fee_charges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.number = 0) EXECUTE FUNCTION check_fee_charge();
CREATE TRIGGER fee_charges_are_kept BEFORE TRUNCATE ON fee_charges FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the fees are append-only; correct them with a new row');
alter table fee_charges enable row level security;
create policy everybody on fee_charges using (true);
create policy tenants_in_scope on fee_charges as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on fee_charges to gapura;
grant insert, select on fee_charges to gapura_tenant;

create table fee_schedules (
  tenant_id uuid not null,
  layer text not null,
  version integer not null,
  effective_from timestamp with time zone not null,
  refunds_fees boolean not null,
  rules jsonb not null,
  created_at timestamp with time zone not null,
  constraint fee_schedules_pkey PRIMARY KEY (tenant_id, layer, version),
  constraint fee_schedules_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint fee_schedules_layer_check CHECK (layer = ANY (ARRAY['operator'::text, 'partner'::text])),
  constraint fee_schedules_rules_check CHECK (jsonb_typeof(rules) = 'array'::text),
  constraint fee_schedules_version_check CHECK (version >= 1)
);
CREATE TRIGGER fee_schedules_announced AFTER INSERT ON fee_schedules FOR EACH ROW EXECUTE FUNCTION announce_change('fees', 'tenant_id');
alter table fee_schedules enable row level security;
create policy everybody on fee_schedules using (true);
create policy tenants_in_scope on fee_schedules as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on fee_schedules to gapura;
grant insert, select on fee_schedules to gapura_tenant;

create table invitations (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (token_hash),
  constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint invitations_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX invitations_user ON invitations USING btree (user_id);
grant delete, insert, select, update on invitations to gapura;

create table ledger_differences (
  fingerprint bytea not null,
  difference jsonb not null,
  found_at timestamp with time zone not null,
  last_found_at timestamp with time zone not null,
  told_at timestamp with time zone,
  mail_claimed_until timestamp with time zone,
  constraint ledger_differences_pkey PRIMARY KEY (fingerprint),
  constraint ledger_differences_fingerprint_check CHECK (octet_length(fingerprint) = 32)
);
CREATE INDEX ledger_differences_by_time ON ledger_differences USING btree (last_found_at);
CREATE INDEX ledger_differences_untold ON ledger_differences USING btree (found_at) WHERE told_at IS NULL;
grant insert, select, update on ledger_differences to gapura;

create table ledger_entries (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null,
  version bigint not null,
  payment_id uuid,
  entry_type text not null,
  amount bigint not null,
  balance_after bigint not null,
  reference_id text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  unexpected_money_id uuid,
  counter_account uuid,
  refund_id uuid,
  constraint ledger_entries_pkey PRIMARY KEY (tenant_id, id),
  constraint ledger_entries_tenant_id_mode_version_key UNIQUE (tenant_id, mode, version),
  constraint ledger_entries_refund_id_fkey FOREIGN KEY (tenant_id, refund_id) REFERENCES refunds(tenant_id, id) NOT VALID,
  constraint ledger_entries_tenant_id_payment_id_fkey FOREIGN KEY (tenant_id, payment_id) REFERENCES payments(tenant_id, id),
  constraint ledger_entries_unexpected_money_id_fkey FOREIGN KEY (unexpected_money_id) REFERENCES unexpected_money(id),
  constraint ledger_entries_amount_check CHECK (amount > 0),
  constraint ledger_entries_balance_is_exact CHECK (balance_after >= '-9007199254740991'::bigint AND balance_after <= '9007199254740991'::bigint) NOT VALID,
  constraint ledger_entries_entry_type_check CHECK (entry_type = ANY (ARRAY['credit'::text, 'debit'::text])),
  constraint ledger_entries_have_a_counter_account CHECK (counter_account IS NOT NULL AND (counter_account <> ALL (ARRAY['00000000-0000-0000-0000-000000000001'::uuid, '00000000-0000-0000-0000-000000000002'::uuid]))) NOT VALID,
  constraint ledger_entries_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint ledger_entries_of_payments CHECK (
CASE
    WHEN payment_id IS NULL THEN counter_account = ANY (ARRAY['00000000-0000-0000-0000-000000000003'::uuid, '00000000-0000-0000-0000-000000000004'::uuid, '00000000-0000-0000-0000-000000000006'::uuid, '00000000-0000-0000-0000-000000000007'::uuid])
    ELSE payment_id <> '00000000-0000-0000-0000-000000000000'::uuid
END) NOT VALID,
  constraint ledger_entries_say_why CHECK (reason ~ '\S'::text),
  constraint ledger_entries_version_check CHECK (version > 0)
);
CREATE UNIQUE INDEX ledger_entries_one_credit ON ledger_entries USING btree (tenant_id, payment_id) WHERE entry_type = 'credit'::text AND unexpected_money_id IS NULL AND refund_id IS NULL AND counter_account IS DISTINCT FROM '00000000-0000-0000-0000-000000000003'::uuid;
CREATE UNIQUE INDEX ledger_entries_one_for_refund ON ledger_entries USING btree (tenant_id, refund_id, entry_type) WHERE refund_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_one_for_unexpected_money ON ledger_entries USING btree (tenant_id, unexpected_money_id, entry_type) WHERE unexpected_money_id IS NOT NULL;
CREATE INDEX ledger_entries_payment ON ledger_entries USING btree (tenant_id, payment_id);
CREATE INDEX ledger_entries_without_payment ON ledger_entries USING btree (reference_id COLLATE "C") WHERE payment_id IS NULL;
CREATE TRIGGER ledger_entries_are_appended BEFORE DELETE OR UPDATE OF tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at, unexpected_money_id, refund_id ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change('the ledger is append-only; correct it with a new entry');
CREATE TRIGGER ledger_entries_are_completed AFTER UPDATE ON ledger_entries REFERENCING NEW TABLE AS completed FOR EACH STATEMENT EXECUTE FUNCTION move_completed_entries();
CREATE TRIGGER ledger_entries_are_kept BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only; correct it with a new entry');
CREATE TRIGGER ledger_entries_are_posted AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION post_entries_to_accounts();
CREATE TRIGGER ledger_entries_find_their_counter_account BEFORE INSERT ON ledger_entries FOR EACH ROW WHEN (new.counter_account IS NULL) EXECUTE FUNCTION set_counter_account();
CREATE TRIGGER ledger_entries_follow AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION append_to_balance();
CREATE TRIGGER ledger_entries_keep_their_counter_account BEFORE UPDATE OF counter_account ON ledger_entries FOR EACH ROW WHEN (old.counter_account IS NOT NULL) EXECUTE FUNCTION refuse_change('the ledger is append-only; correct it with a new entry');
CREATE TRIGGER ledger_entries_name_their_money BEFORE INSERT ON ledger_entries FOR EACH ROW WHEN (new.unexpected_money_id IS NOT NULL) EXECUTE FUNCTION check_entry_names_its_money();
CREATE TRIGGER ledger_entries_name_their_refund BEFORE INSERT ON ledger_entries FOR EACH ROW WHEN (new.refund_id IS NOT NULL) EXECUTE FUNCTION check_entry_names_its_refund();
alter table ledger_entries enable row level security;
create policy everybody on ledger_entries using (true);
create policy tenants_in_scope on ledger_entries as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on ledger_entries to gapura;
grant insert, maintain, references, select, trigger, update (counter_account) on ledger_entries to gapura_owner;
grant insert, select on ledger_entries to gapura_tenant;

create table ledger_seals (
  tenant_id uuid not null,
  mode text not null,
  from_version bigint not null,
  to_version bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  encoding smallint not null default 1,
  round bigint not null,
  sealed_at timestamp with time zone not null default now(),
  constraint ledger_seals_pkey PRIMARY KEY (tenant_id, mode, to_version),
  constraint ledger_seals_tenant_id_mode_from_version_key UNIQUE (tenant_id, mode, from_version),
  constraint ledger_seals_check CHECK (to_version >= from_version),
  constraint ledger_seals_encoding_check CHECK (encoding = 1),
  constraint ledger_seals_from_version_check CHECK (from_version > 0),
  constraint ledger_seals_hash_check CHECK (octet_length(hash) = 32),
  constraint ledger_seals_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint ledger_seals_previous_hash_check CHECK (octet_length(previous_hash) = 32)
);
CREATE TRIGGER ledger_seals_are_appended BEFORE DELETE OR UPDATE ON ledger_seals FOR EACH ROW EXECUTE FUNCTION refuse_change('seals are append-only');
CREATE TRIGGER ledger_seals_are_kept BEFORE TRUNCATE ON ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('seals are append-only');
CREATE TRIGGER ledger_seals_follow AFTER INSERT ON ledger_seals REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION check_seals_follow();
grant insert, select on ledger_seals to gapura;
grant insert, maintain, references, select, trigger on ledger_seals to gapura_owner;

create table ledger_statements (
  round bigint not null,
  root bytea not null,
  statement text not null,
  stated_at timestamp with time zone not null default now(),
  constraint ledger_statements_pkey PRIMARY KEY (round),
  constraint ledger_statements_root_check CHECK (octet_length(root) = 32)
);
CREATE TRIGGER ledger_statements_are_appended BEFORE DELETE OR UPDATE ON ledger_statements FOR EACH ROW EXECUTE FUNCTION refuse_change('statements are append-only');
CREATE TRIGGER ledger_statements_are_kept BEFORE TRUNCATE ON ledger_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('statements are append-only');
grant insert, select on ledger_statements to gapura;
grant insert, maintain, references, select, trigger on ledger_statements to gapura_owner;

create table ledger_verifications (
  day date not null,
  started_at timestamp with time zone not null,
  beat_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  balances bigint not null default 0,
  entries bigint not null default 0,
  payments bigint not null default 0,
  differences bigint not null default 0,
  orders_not_checked bigint not null default 0,
  constraint ledger_verifications_pkey PRIMARY KEY (day),
  constraint ledger_verifications_check CHECK (ended_at >= started_at)
);
grant insert, select, update on ledger_verifications to gapura;

create table login_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire double precision,
  constraint login_limits_pkey PRIMARY KEY (key)
);
grant delete, insert, select, update on login_limits to gapura;

create table login_throttles (
  subject bytea not null,
  lane text not null,
  failures double precision not null,
  last_at timestamp with time zone not null,
  constraint login_throttles_pkey PRIMARY KEY (subject, lane),
  constraint login_throttles_failures_check CHECK (failures >= 0::double precision),
  constraint login_throttles_lane_check CHECK (length(lane) <= 100),
  constraint login_throttles_subject_check CHECK (octet_length(subject) = 32)
);
CREATE INDEX login_throttles_last_at ON login_throttles USING btree (last_at);
grant delete, insert, select, update on login_throttles to gapura;

create table management_requests (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  response_sealed text,
  expires_at timestamp with time zone not null,
  constraint management_requests_pkey PRIMARY KEY (id),
  constraint management_requests_tenant_id_user_id_key_key UNIQUE (tenant_id, user_id, key),
  constraint management_requests_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint management_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint management_requests_key_check CHECK (key ~ '^[\x21-\x7e]{1,255}$'::text)
);
CREATE INDEX management_requests_expiry ON management_requests USING btree (expires_at);
alter table management_requests enable row level security;
create policy everybody on management_requests using (true);
create policy tenants_in_scope on management_requests as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on management_requests to gapura;
grant insert, select, update on management_requests to gapura_tenant;

create table notices (
  id uuid not null,
  tenant_id uuid not null,
  kind text not null,
  subject text not null,
  detail jsonb not null,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  ended_at timestamp with time zone,
  posted_at timestamp with time zone,
  mail_claimed_until timestamp with time zone,
  post_claimed_until timestamp with time zone,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint notices_detail_check CHECK (jsonb_typeof(detail) = 'object'::text),
  constraint notices_kind_check CHECK (kind = ANY (ARRAY['receiver_failing'::text, 'key_expiring'::text, 'unexpected_money'::text, 'outcome_unknown'::text, 'provider_down'::text, 'success_rate_falling'::text]))
);
CREATE UNIQUE INDEX notices_current ON notices USING btree (tenant_id, kind, subject) WHERE ended_at IS NULL;
alter table notices enable row level security;
create policy everybody on notices using (true);
create policy tenants_in_scope on notices as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on notices to gapura;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);
CREATE TRIGGER passkeys_announced AFTER INSERT OR DELETE ON passkeys FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'user_id');
grant delete, insert, select, update on passkeys to gapura;

create table password_resets (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint password_resets_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX password_resets_user ON password_resets USING btree (user_id);
grant delete, insert, select, update on password_resets to gapura;

create table payment_references (
  reference text not null,
  tenant_id uuid not null,
  payment_id uuid not null,
  provider_account_id uuid not null,
  number smallint not null default 1,
  provider text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  reason text,
  constraint payment_references_pkey PRIMARY KEY (reference),
  constraint payment_references_check CHECK ((ended_at IS NULL) = (reason IS NULL)),
  constraint payment_references_number_check CHECK (number >= 1)
);
CREATE TRIGGER payment_references_are_all_kept BEFORE TRUNCATE ON payment_references FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('references are kept');
CREATE TRIGGER payment_references_are_kept BEFORE DELETE ON payment_references FOR EACH ROW EXECUTE FUNCTION refuse_change('references are kept');
CREATE TRIGGER payment_references_end_once BEFORE UPDATE ON payment_references FOR EACH ROW WHEN (new.reference IS DISTINCT FROM old.reference OR new.tenant_id IS DISTINCT FROM old.tenant_id OR new.payment_id IS DISTINCT FROM old.payment_id OR new.provider_account_id IS DISTINCT FROM old.provider_account_id OR new.number IS DISTINCT FROM old.number OR new.provider IS DISTINCT FROM old.provider OR new.started_at IS DISTINCT FROM old.started_at OR old.ended_at IS NOT NULL AND (new.ended_at IS DISTINCT FROM old.ended_at OR new.reason IS DISTINCT FROM old.reason)) EXECUTE FUNCTION refuse_change('a try only ends, and once');
alter table payment_references enable row level security;
create policy everybody on payment_references using (true);
create policy tenants_in_scope on payment_references as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on payment_references to gapura;
grant insert, select, update on payment_references to gapura_tenant;

create table payment_search (
  tenant_id uuid not null,
  payment_id uuid not null,
  words tsvector not null,
  constraint payment_search_pkey PRIMARY KEY (tenant_id, payment_id)
);
CREATE INDEX payment_search_by_period ON payment_search USING gin (words_of_period(payment_id, words)) WITH (gin_pending_list_limit='1024');
alter table payment_search enable row level security;
create policy everybody on payment_search using (true);
create policy tenants_in_scope on payment_search as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant select on payment_search to gapura;
grant select on payment_search to gapura_tenant;

create table payment_transitions (
  tenant_id uuid not null,
  payment_id uuid not null,
  number integer not null,
  at timestamp with time zone not null,
  from_status text,
  to_status text not null,
  cause text not null,
  detail text,
  constraint payment_transitions_pkey PRIMARY KEY (tenant_id, payment_id, number)
);
alter table payment_transitions enable row level security;
create policy everybody on payment_transitions using (true);
create policy tenants_in_scope on payment_transitions as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on payment_transitions to gapura;
grant insert, select on payment_transitions to gapura_tenant;

create table payments (
  tenant_id uuid not null,
  id uuid not null,
  mode text not null,
  payment_code text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  amount bigint not null,
  currency text not null,
  method_type text not null,
  channel text not null,
  method_detail jsonb not null,
  method_data jsonb,
  status text not null,
  transition_count integer not null default 0,
  provider text not null,
  provider_account_id uuid not null,
  provider_payment_id text,
  customer_name text not null default ''::text,
  customer_email text not null default ''::text,
  customer_phone text not null default ''::text,
  items jsonb not null default '[]'::jsonb,
  expiry_minutes integer not null,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  amount_paid bigint,
  failure_reason text,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  amount_received bigint,
  attempt smallint not null default 1,
  paid_reference text,
  receipt text,
  reversed_at timestamp with time zone,
  unconfirmed_since timestamp with time zone,
  last_checked_at timestamp with time zone,
  return_url text,
  customer_ip text,
  fingerprint_version smallint not null default 1,
  amount_refunded bigint not null default 0,
  amount_reversed bigint not null default 0,
  customer_erased_at timestamp with time zone,
  fee_terms jsonb,
  constraint payments_pkey PRIMARY KEY (tenant_id, id),
  constraint payments_tenant_id_mode_idempotency_key_key UNIQUE (tenant_id, mode, idempotency_key),
  constraint payments_amount_check CHECK (amount >= 1 AND amount <= '100000000000000'::bigint),
  constraint payments_amount_paid_check CHECK (amount_paid > 0),
  constraint payments_amount_received_check CHECK (amount_received >= 0),
  constraint payments_attempt_check CHECK (attempt >= 1),
  constraint payments_channel_check CHECK (channel = lower(channel)),
  constraint payments_check CHECK ((status = 'paid'::text) = (paid_at IS NOT NULL)),
  constraint payments_check1 CHECK ((status = 'paid'::text) = (amount_paid IS NOT NULL)),
  constraint payments_check2 CHECK (reversed_at IS NULL OR status = 'paid'::text),
  constraint payments_currency_check CHECK (currency = 'IDR'::text),
  constraint payments_expiry_minutes_check CHECK (expiry_minutes >= 2 AND expiry_minutes <= 43200),
  constraint payments_fingerprint_check CHECK (octet_length(fingerprint) = 32),
  constraint payments_idempotency_key_check CHECK (idempotency_key <> ''::text),
  constraint payments_method_type_check CHECK (method_type = ANY (ARRAY['virtual_account'::text, 'qris'::text, 'e_wallet'::text, 'over_the_counter'::text])),
  constraint payments_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint payments_payment_code_check CHECK (payment_code ~ '^GP[0-9]{6}-[0-9A-HJKMNP-TV-Z]{10}$'::text),
  constraint payments_status_check CHECK (status = ANY (ARRAY['charging'::text, 'unknown'::text, 'uncharged'::text, 'rejected'::text, 'pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text, 'challenged'::text])),
  constraint payments_unconfirmed_is_paid CHECK (unconfirmed_since IS NULL OR status = 'paid'::text)
);
CREATE INDEX payments_accepted_late ON payments USING btree (tenant_id, updated_at) WHERE status = 'pending'::text AND (updated_at - created_at) > '00:00:50'::interval;
CREATE INDEX payments_by_kind ON payments USING btree (tenant_id, mode, status, method_type, provider, id);
CREATE INDEX payments_challenged ON payments USING btree (updated_at, tenant_id, id) WHERE status = 'challenged'::text;
CREATE INDEX payments_due_by_tenant ON payments USING btree (provider_account_id, tenant_id, next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_of_account_by_provider_id ON payments USING btree (provider_account_id, provider_payment_id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payments_paid_in_order ON payments USING btree (tenant_id, paid_at, id) WHERE paid_at IS NOT NULL;
CREATE INDEX payments_unknown ON payments USING btree (updated_at) WHERE status = 'unknown'::text;
CREATE TRIGGER payments_are_kept BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change('payments are kept');
CREATE TRIGGER payments_are_searched AFTER UPDATE ON payments FOR EACH ROW WHEN ((new.status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text, 'challenged'::text])) AND ((old.status = ANY (ARRAY['charging'::text, 'unknown'::text, 'uncharged'::text, 'rejected'::text])) OR new.method_data IS DISTINCT FROM old.method_data OR new.provider_payment_id IS DISTINCT FROM old.provider_payment_id OR new.customer_name IS DISTINCT FROM old.customer_name OR new.customer_email IS DISTINCT FROM old.customer_email OR new.customer_phone IS DISTINCT FROM old.customer_phone)) EXECUTE FUNCTION index_payment_words();
CREATE TRIGGER payments_are_searched_when_shown AFTER INSERT ON payments FOR EACH ROW WHEN (new.status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text, 'challenged'::text])) EXECUTE FUNCTION index_payment_words();
CREATE TRIGGER payments_confirmed_once BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND new.unconfirmed_since IS NOT NULL AND new.unconfirmed_since IS DISTINCT FROM old.unconfirmed_since) EXECUTE FUNCTION refuse_change('a payment that was confirmed stays confirmed');
CREATE TRIGGER payments_fingerprint_version_is_fixed BEFORE UPDATE ON payments FOR EACH ROW WHEN (new.fingerprint_version IS DISTINCT FROM old.fingerprint_version) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
CREATE TRIGGER payments_nothing_leaves_paid BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND (new.status IS DISTINCT FROM old.status OR new.amount_paid IS DISTINCT FROM old.amount_paid OR new.paid_at IS DISTINCT FROM old.paid_at)) EXECUTE FUNCTION refuse_change('a paid payment stays as it was paid');
CREATE TRIGGER payments_orders_are_fixed BEFORE UPDATE OF method_type, method_detail, customer_name, customer_email, customer_phone, items, return_url, customer_ip, expiry_minutes, created_at, customer_erased_at ON payments FOR EACH ROW WHEN (new.method_type IS DISTINCT FROM old.method_type OR new.method_detail IS DISTINCT FROM old.method_detail OR new.items IS DISTINCT FROM old.items OR new.return_url IS DISTINCT FROM old.return_url OR new.expiry_minutes IS DISTINCT FROM old.expiry_minutes OR new.created_at IS DISTINCT FROM old.created_at OR (new.customer_name IS DISTINCT FROM old.customer_name OR new.customer_email IS DISTINCT FROM old.customer_email OR new.customer_phone IS DISTINCT FROM old.customer_phone OR new.customer_ip IS DISTINCT FROM old.customer_ip OR new.customer_erased_at IS DISTINCT FROM old.customer_erased_at) AND (old.customer_erased_at IS NOT NULL OR new.customer_erased_at IS NULL OR new.customer_name <> ''::text OR new.customer_email <> ''::text OR new.customer_phone <> ''::text OR new.customer_ip IS NOT NULL)) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
CREATE TRIGGER payments_paid_by_one_receipt BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND (old.paid_reference IS NOT NULL AND new.paid_reference IS DISTINCT FROM old.paid_reference OR old.receipt IS NOT NULL AND new.receipt IS DISTINCT FROM old.receipt)) EXECUTE FUNCTION refuse_change('by what a payment was paid is fixed once it is known');
CREATE CONSTRAINT TRIGGER payments_paid_is_credited AFTER INSERT OR UPDATE ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'paid'::text) EXECUTE FUNCTION check_paid_is_credited();
CREATE TRIGGER payments_reversed_once BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.reversed_at IS NOT NULL AND new.reversed_at IS DISTINCT FROM old.reversed_at) EXECUTE FUNCTION refuse_change('a payment is taken back once');
CREATE TRIGGER payments_terms_are_fixed BEFORE UPDATE ON payments FOR EACH ROW WHEN (new.tenant_id IS DISTINCT FROM old.tenant_id OR new.id IS DISTINCT FROM old.id OR new.mode IS DISTINCT FROM old.mode OR new.payment_code IS DISTINCT FROM old.payment_code OR new.idempotency_key IS DISTINCT FROM old.idempotency_key OR new.fingerprint IS DISTINCT FROM old.fingerprint OR new.amount IS DISTINCT FROM old.amount OR new.currency IS DISTINCT FROM old.currency) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
alter table payments enable row level security;
create policy everybody on payments using (true);
create policy tenants_in_scope on payments as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update (method_data, status, transition_count, provider, provider_account_id, provider_payment_id, expires_at, paid_at, amount_paid, failure_reason, next_check_at, updated_at, amount_received, attempt, paid_reference, receipt, reversed_at, unconfirmed_since, last_checked_at) on payments to gapura;
grant insert, select, update (method_data, status, transition_count, provider, provider_account_id, provider_payment_id, expires_at, paid_at, amount_paid, failure_reason, next_check_at, updated_at, amount_received, attempt, paid_reference, receipt, reversed_at, unconfirmed_since, last_checked_at) on payments to gapura_tenant;

create table previous_provider_credentials (
  id uuid not null,
  provider_account_id uuid not null,
  credentials_sealed text not null,
  replaced_at timestamp with time zone not null,
  valid_until timestamp with time zone not null,
  constraint previous_provider_credentials_pkey PRIMARY KEY (id),
  constraint previous_provider_credentials_provider_account_id_fkey FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(id),
  constraint previous_provider_credentials_check CHECK (valid_until > replaced_at)
);
CREATE INDEX previous_provider_credentials_account ON previous_provider_credentials USING btree (provider_account_id);
CREATE TRIGGER previous_provider_credentials_announced AFTER INSERT OR DELETE OR UPDATE ON previous_provider_credentials FOR EACH ROW EXECUTE FUNCTION announce_change('account', 'provider_account_id');
grant delete, insert, select, update on previous_provider_credentials to gapura;

create table previous_webhook_secrets (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  secret_sealed text not null,
  expires_at timestamp with time zone not null,
  constraint previous_webhook_secrets_pkey PRIMARY KEY (id),
  constraint previous_webhook_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE INDEX previous_webhook_secrets_tenant ON previous_webhook_secrets USING btree (tenant_id);
alter table previous_webhook_secrets enable row level security;
create policy everybody on previous_webhook_secrets using (true);
create policy tenants_in_scope on previous_webhook_secrets as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on previous_webhook_secrets to gapura;
grant delete, insert, select on previous_webhook_secrets to gapura_tenant;

create table provider_accounts (
  id uuid not null,
  provider_code text not null,
  mode text not null,
  name text not null,
  credentials_sealed text not null,
  base_url text,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  callback_sources cidr[] not null default '{}'::cidr[],
  inquire_above bigint default 1000000000,
  constraint provider_accounts_pkey PRIMARY KEY (id),
  constraint provider_accounts_base_url_check CHECK (base_url ~ '^https?://'::text),
  constraint provider_accounts_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX provider_accounts_provider ON provider_accounts USING btree (provider_code, id);
CREATE TRIGGER provider_accounts_announced AFTER DELETE OR UPDATE ON provider_accounts FOR EACH ROW EXECUTE FUNCTION announce_change('account', 'id');
grant insert, select, update on provider_accounts to gapura;
grant select (id, provider_code, mode, name, enabled) on provider_accounts to gapura_tenant;

create table provider_callbacks (
  id uuid not null,
  provider_account_id uuid not null,
  provider text not null,
  received_at timestamp with time zone not null default now(),
  headers jsonb,
  body bytea,
  status text not null default 'received'::text,
  reason text,
  tenant_id uuid,
  payment_id uuid,
  processed_at timestamp with time zone,
  path text not null default ''::text,
  job uuid,
  message_compressed bytea,
  constraint provider_callbacks_pkey PRIMARY KEY (id),
  constraint provider_callbacks_have_one_message CHECK ((body IS NULL) = (headers IS NULL) AND (body IS NULL) <> (message_compressed IS NULL) AND (body IS NOT NULL OR status <> 'received'::text)) NOT VALID,
  constraint provider_callbacks_status_check CHECK (status = ANY (ARRAY['received'::text, 'applied'::text, 'repeated'::text, 'refused'::text, 'ignored'::text, 'unmatched'::text, 'unreadable'::text]))
) partition by range (id);
CREATE INDEX provider_callbacks_by_account ON ONLY provider_callbacks USING btree (provider_account_id, status, id);
CREATE INDEX provider_callbacks_payment ON ONLY provider_callbacks USING btree (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX provider_callbacks_unapplied ON ONLY provider_callbacks USING btree (received_at) WHERE status = 'received'::text;
alter table provider_callbacks enable row level security;
create policy everybody on provider_callbacks using (true);
create policy tenants_in_scope on provider_callbacks as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on provider_callbacks to gapura;
grant select (id, provider, received_at, status, reason, tenant_id, payment_id, processed_at) on provider_callbacks to gapura_tenant;

create table reconciliation_checks (
  day date not null,
  mode text not null,
  tenant_id uuid not null,
  payment_id uuid not null,
  provider_account_id uuid not null,
  outcome text,
  constraint reconciliation_checks_pkey PRIMARY KEY (day, mode, tenant_id, payment_id),
  constraint reconciliation_checks_day_mode_fkey FOREIGN KEY (day, mode) REFERENCES reconciliation_runs(day, mode),
  constraint reconciliation_checks_outcome_check CHECK (outcome = ANY (ARRAY['answered'::text, 'untold'::text]))
);
CREATE INDEX reconciliation_checks_waiting ON reconciliation_checks USING btree (day, mode, provider_account_id, tenant_id, payment_id) WHERE outcome IS NULL;
alter table reconciliation_checks enable row level security;
create policy everybody on reconciliation_checks using (true);
create policy tenants_in_scope on reconciliation_checks as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on reconciliation_checks to gapura;

create table reconciliation_differences (
  id uuid not null,
  matter text not null,
  day date not null,
  mode text not null,
  kind text not null,
  "between" text not null,
  tenant_id uuid,
  payment_id uuid,
  payment_code text,
  reference text not null,
  provider text not null,
  provider_account_id uuid not null,
  provider_payment_id text,
  our_status text,
  our_amount bigint,
  ledger_amount bigint,
  their_status text,
  their_amount bigint,
  source text,
  detail text not null,
  found_at timestamp with time zone not null,
  last_found_at timestamp with time zone not null,
  told_at timestamp with time zone,
  closed_at timestamp with time zone,
  closed_by text,
  reason text,
  mail_claimed_until timestamp with time zone,
  constraint reconciliation_differences_pkey PRIMARY KEY (id),
  constraint reconciliation_differences_check CHECK ((tenant_id IS NULL) = (payment_id IS NULL)),
  constraint reconciliation_differences_check1 CHECK ((closed_at IS NULL) = (closed_by IS NULL)),
  constraint reconciliation_differences_check2 CHECK ((NOT closed_by IS DISTINCT FROM 'owner'::text) = (reason IS NOT NULL)),
  constraint reconciliation_differences_closed_by_check CHECK (closed_by = ANY (ARRAY['run'::text, 'owner'::text])),
  constraint reconciliation_differences_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX reconciliation_differences_by_day ON reconciliation_differences USING btree (day, mode);
CREATE INDEX reconciliation_differences_dismissed ON reconciliation_differences USING btree (matter) WHERE closed_by = 'owner'::text;
CREATE UNIQUE INDEX reconciliation_differences_matter ON reconciliation_differences USING btree (matter) WHERE closed_at IS NULL;
CREATE INDEX reconciliation_differences_of_payment ON reconciliation_differences USING btree (payment_id);
CREATE INDEX reconciliation_differences_open ON reconciliation_differences USING btree (id) WHERE closed_at IS NULL;
CREATE INDEX reconciliation_differences_untold ON reconciliation_differences USING btree (found_at) WHERE told_at IS NULL AND closed_at IS NULL;
alter table reconciliation_differences enable row level security;
create policy everybody on reconciliation_differences using (true);
create policy tenants_in_scope on reconciliation_differences as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on reconciliation_differences to gapura;

create table reconciliation_runs (
  day date not null,
  mode text not null,
  id uuid not null,
  started_at timestamp with time zone not null,
  claim uuid,
  claimed_until timestamp with time zone,
  compared_at timestamp with time zone,
  ended_at timestamp with time zone,
  retry_at timestamp with time zone,
  completed_at timestamp with time zone,
  settlement bigint not null default 0,
  unknown_lines bigint not null default 0,
  inquiry bigint not null default 0,
  not_checked jsonb not null default '[]'::jsonb,
  differences bigint not null default 0,
  constraint reconciliation_runs_pkey PRIMARY KEY (day, mode),
  constraint reconciliation_runs_id_key UNIQUE (id),
  constraint reconciliation_runs_check CHECK ((claim IS NULL) = (claimed_until IS NULL)),
  constraint reconciliation_runs_check1 CHECK (completed_at IS NULL OR ended_at IS NOT NULL),
  constraint reconciliation_runs_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
grant insert, select, update on reconciliation_runs to gapura;

create table recovery_codes (
  code_hash bytea not null,
  user_id uuid not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint recovery_codes_code_hash_check CHECK (octet_length(code_hash) = 32)
);
CREATE INDEX recovery_codes_user ON recovery_codes USING btree (user_id);
grant delete, insert, select, update on recovery_codes to gapura;

create table refresh_tokens (
  token_hash bytea not null,
  family_id uuid not null,
  user_id uuid not null,
  issued_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  spent_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint refresh_tokens_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX refresh_tokens_family ON refresh_tokens USING btree (family_id);
CREATE INDEX refresh_tokens_user ON refresh_tokens USING btree (user_id);
CREATE TRIGGER refresh_tokens_announced AFTER UPDATE OF revoked_at ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION announce_change('session', 'family_id');
grant delete, insert, select, update on refresh_tokens to gapura;

create table refunds (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  mode text not null,
  number integer not null,
  reference text not null,
  amount bigint not null,
  status text not null,
  method text not null,
  origin text not null,
  reason text not null,
  provider text not null,
  provider_account_id uuid not null,
  provider_refund_id text,
  failure_reason text,
  bank_account jsonb,
  bank_reference text,
  unexpected_money_id uuid,
  idempotency_key text,
  fingerprint bytea,
  requested_at timestamp with time zone,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  source text not null default 'amount_paid'::text,
  refunded_money_id uuid,
  by_user boolean not null default false,
  failed_at_provider boolean not null default false,
  constraint refunds_pkey PRIMARY KEY (tenant_id, id),
  constraint refunds_tenant_id_mode_idempotency_key_key UNIQUE (tenant_id, mode, idempotency_key),
  constraint refunds_tenant_id_payment_id_number_key UNIQUE (tenant_id, payment_id, number),
  constraint refunds_refunded_money_id_fkey FOREIGN KEY (refunded_money_id) REFERENCES unexpected_money(id) NOT VALID,
  constraint refunds_tenant_id_payment_id_fkey FOREIGN KEY (tenant_id, payment_id) REFERENCES payments(tenant_id, id),
  constraint refunds_unexpected_money_id_fkey FOREIGN KEY (unexpected_money_id) REFERENCES unexpected_money(id),
  constraint refunds_amount_check CHECK (amount > 0),
  constraint refunds_by_user_are_of_merchant CHECK (origin = 'merchant'::text OR NOT by_user) NOT VALID,
  constraint refunds_failed_at_provider_have_failed CHECK (status = 'failed'::text OR NOT failed_at_provider) NOT VALID,
  constraint refunds_have_a_key CHECK ((origin = 'merchant'::text) = (idempotency_key IS NOT NULL AND fingerprint IS NOT NULL)),
  constraint refunds_manual_has_bank_account CHECK (method = 'provider'::text OR bank_account IS NOT NULL),
  constraint refunds_method_check CHECK (method = ANY (ARRAY['provider'::text, 'manual'::text])),
  constraint refunds_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint refunds_of_operator_name_their_money CHECK ((origin = 'operator'::text) = (refunded_money_id IS NOT NULL)) NOT VALID,
  constraint refunds_of_other_sources_are_of_operator CHECK (origin = 'operator'::text OR source = 'amount_paid'::text) NOT VALID,
  constraint refunds_of_provider_have_a_record CHECK ((origin = ANY (ARRAY['provider'::text, 'chargeback'::text])) = (unexpected_money_id IS NOT NULL)),
  constraint refunds_origin_check CHECK (origin = ANY (ARRAY['merchant'::text, 'operator'::text, 'provider'::text, 'chargeback'::text])),
  constraint refunds_source_check CHECK (source = ANY (ARRAY['amount_paid'::text, 'separate_credit'::text, 'uncredited'::text])) NOT VALID,
  constraint refunds_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX refunds_by_id ON refunds USING btree (id);
CREATE UNIQUE INDEX refunds_by_record ON refunds USING btree (tenant_id, unexpected_money_id) WHERE unexpected_money_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_by_refunded_money ON refunds USING btree (tenant_id, refunded_money_id, (
CASE status
    WHEN 'failed'::text THEN number
    ELSE 0
END)) WHERE refunded_money_id IS NOT NULL;
CREATE INDEX refunds_due ON refunds USING btree (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX refunds_waiting ON refunds USING btree (id) WHERE status = 'pending'::text AND next_check_at IS NULL AND (origin = ANY (ARRAY['merchant'::text, 'operator'::text]));
CREATE TRIGGER refunds_are_counted AFTER INSERT OR UPDATE ON refunds FOR EACH ROW WHEN (new.source = 'amount_paid'::text) EXECUTE FUNCTION count_refund();
CREATE TRIGGER refunds_are_erased_when_final BEFORE UPDATE ON refunds FOR EACH ROW WHEN (old.status = 'pending'::text AND new.status <> 'pending'::text AND new.bank_account IS NOT NULL) EXECUTE FUNCTION erase_final_refund();
CREATE TRIGGER refunds_are_kept BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change('refunds are kept');
CREATE TRIGGER refunds_are_left AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION check_refund_is_left();
CREATE CONSTRAINT TRIGGER refunds_are_posted AFTER INSERT OR UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_is_posted();
CREATE TRIGGER refunds_are_requested_once BEFORE UPDATE ON refunds FOR EACH ROW WHEN (old.requested_at IS NOT NULL AND new.requested_at IS DISTINCT FROM old.requested_at) EXECUTE FUNCTION refuse_change('a refund is requested once');
CREATE TRIGGER refunds_go_forward BEFORE UPDATE ON refunds FOR EACH ROW WHEN (old.status = 'failed'::text AND new.status <> 'failed'::text OR old.status = 'succeeded'::text AND new.status = 'pending'::text) EXECUTE FUNCTION refuse_change('a refund does not go back to an earlier status');
CREATE TRIGGER refunds_terms_are_fixed BEFORE UPDATE ON refunds FOR EACH ROW WHEN (new.tenant_id IS DISTINCT FROM old.tenant_id OR new.id IS DISTINCT FROM old.id OR new.payment_id IS DISTINCT FROM old.payment_id OR new.mode IS DISTINCT FROM old.mode OR new.number IS DISTINCT FROM old.number OR new.reference IS DISTINCT FROM old.reference OR new.amount IS DISTINCT FROM old.amount OR new.method IS DISTINCT FROM old.method OR new.origin IS DISTINCT FROM old.origin OR new.by_user IS DISTINCT FROM old.by_user OR new.source IS DISTINCT FROM old.source OR new.reason IS DISTINCT FROM old.reason OR new.provider_account_id IS DISTINCT FROM old.provider_account_id OR new.unexpected_money_id IS DISTINCT FROM old.unexpected_money_id OR new.refunded_money_id IS DISTINCT FROM old.refunded_money_id OR new.idempotency_key IS DISTINCT FROM old.idempotency_key OR new.fingerprint IS DISTINCT FROM old.fingerprint OR new.created_at IS DISTINCT FROM old.created_at OR new.bank_account IS DISTINCT FROM old.bank_account AND (new.status = 'pending'::text OR new.bank_account IS DISTINCT FROM erased_bank_account(old.bank_account))) EXECUTE FUNCTION refuse_change('the terms of a refund are fixed');
alter table refunds enable row level security;
create policy everybody on refunds using (true);
create policy tenants_in_scope on refunds as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update (status, provider_refund_id, failure_reason, bank_reference, requested_at, next_check_at, updated_at, succeeded_at, failed_at_provider) on refunds to gapura;
grant insert, select, update (status, provider_refund_id, failure_reason, bank_reference, requested_at, next_check_at, updated_at, succeeded_at, failed_at_provider) on refunds to gapura_tenant;

create table rejected_callbacks (
  provider_account_id uuid not null,
  slot integer not null,
  received_at timestamp with time zone not null default now(),
  reason text not null,
  headers jsonb not null,
  body bytea not null,
  id uuid not null,
  path text not null default ''::text,
  constraint rejected_callbacks_pkey PRIMARY KEY (provider_account_id, slot),
  constraint rejected_callbacks_provider_account_id_fkey FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(id),
  constraint rejected_callbacks_body_check CHECK (octet_length(body) <= 16384)
);
CREATE UNIQUE INDEX rejected_callbacks_id ON rejected_callbacks USING btree (id);
grant delete, insert, select, update on rejected_callbacks to gapura;

create table routing_rules (
  tenant_id uuid not null,
  id uuid not null,
  "position" integer not null,
  method_type text,
  channel text,
  min_amount bigint,
  max_amount bigint,
  provider_account_id uuid not null,
  weight integer not null default 1,
  created_at timestamp with time zone not null default now(),
  constraint routing_rules_pkey PRIMARY KEY (tenant_id, id),
  constraint routing_rules_tenant_id_provider_account_id_fkey FOREIGN KEY (tenant_id, provider_account_id) REFERENCES entitlements(tenant_id, provider_account_id) ON DELETE CASCADE,
  constraint routing_rules_channel_check CHECK (channel = lower(channel)),
  constraint routing_rules_check CHECK (min_amount <= max_amount),
  constraint routing_rules_method_type_check CHECK (method_type = ANY (ARRAY['virtual_account'::text, 'qris'::text, 'e_wallet'::text, 'over_the_counter'::text])),
  constraint routing_rules_weight_check CHECK (weight > 0)
);
CREATE TRIGGER routing_rules_announced AFTER INSERT OR DELETE OR UPDATE ON routing_rules FOR EACH ROW EXECUTE FUNCTION announce_change('routes', 'tenant_id');
alter table routing_rules enable row level security;
create policy everybody on routing_rules using (true);
create policy tenants_in_scope on routing_rules as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select on routing_rules to gapura;
grant delete, insert, select on routing_rules to gapura_tenant;

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
grant select on schema_migrations to gapura;

create table sealed_keys (
  name text not null,
  key_sealed text not null,
  created_at timestamp with time zone not null default now(),
  constraint sealed_keys_pkey PRIMARY KEY (name)
);
grant insert, select, update on sealed_keys to gapura;

create table second_factor_challenges (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  passkey_challenge text,
  expires_at timestamp with time zone not null,
  constraint second_factor_challenges_pkey PRIMARY KEY (token_hash),
  constraint second_factor_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint second_factor_challenges_purpose_check CHECK (purpose = ANY (ARRAY['log_in'::text, 'confirm'::text, 'register_passkey'::text])),
  constraint second_factor_challenges_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX second_factor_challenges_user ON second_factor_challenges USING btree (user_id);
grant delete, insert, select, update on second_factor_challenges to gapura;

create table session_keys (
  id uuid not null,
  key_hash bytea not null,
  tenant_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint session_keys_pkey PRIMARY KEY (id),
  constraint session_keys_key_hash_key UNIQUE (key_hash),
  constraint session_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint session_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint session_keys_key_hash_check CHECK (octet_length(key_hash) = 32)
);
CREATE INDEX session_keys_expires_at ON session_keys USING btree (expires_at);
alter table session_keys enable row level security;
create policy everybody on session_keys using (true);
create policy tenants_in_scope on session_keys as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on session_keys to gapura;
grant insert on session_keys to gapura_tenant;

create table sessions (
  id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  address text,
  user_agent text,
  proven_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_last_used ON sessions USING btree (last_used_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id);
CREATE TRIGGER sessions_announced AFTER UPDATE OF proven_at ON sessions FOR EACH ROW EXECUTE FUNCTION announce_change('session', 'id');
grant delete, insert, select, update on sessions to gapura;

create table settlement_lines (
  settlement_id uuid not null,
  line integer not null,
  date date not null,
  reference text not null,
  status text not null,
  amount bigint not null,
  fee bigint,
  paid_at timestamp with time zone,
  provider_payment_id text,
  tenant_id uuid,
  payment_id uuid,
  constraint settlement_lines_pkey PRIMARY KEY (settlement_id, line),
  constraint settlement_lines_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES settlements(id) ON DELETE CASCADE,
  constraint settlement_lines_amount_check CHECK (amount > 0),
  constraint settlement_lines_check CHECK ((tenant_id IS NULL) = (payment_id IS NULL)),
  constraint settlement_lines_status_check CHECK (status = ANY (ARRAY['paid'::text, 'refunded'::text, 'reversed'::text]))
);
CREATE INDEX settlement_lines_leading_nowhere ON settlement_lines USING btree (settlement_id, line) WHERE payment_id IS NULL;
CREATE INDEX settlement_lines_of_day ON settlement_lines USING btree (tenant_id, date, payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX settlement_lines_of_payment ON settlement_lines USING btree (tenant_id, payment_id) WHERE payment_id IS NOT NULL;
alter table settlement_lines enable row level security;
create policy everybody on settlement_lines using (true);
create policy tenants_in_scope on settlement_lines as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on settlement_lines to gapura;
grant select on settlement_lines to gapura_tenant;

create table settlements (
  id uuid not null,
  provider_account_id uuid not null,
  date date not null,
  lines integer not null default 0,
  amount bigint not null default 0,
  fees bigint not null default 0,
  duplicates integer not null default 0,
  uploaded_at timestamp with time zone not null,
  constraint settlements_pkey PRIMARY KEY (id),
  constraint settlements_provider_account_id_date_key UNIQUE (provider_account_id, date),
  constraint settlements_provider_account_id_fkey FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(id)
);
CREATE INDEX settlements_by_account ON settlements USING btree (provider_account_id, id);
CREATE INDEX settlements_by_date ON settlements USING btree (date);
grant delete, insert, select, update on settlements to gapura;
grant select (id, provider_account_id, date) on settlements to gapura_tenant;

create table signing_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);
grant insert, select, update on signing_keys to gapura;

create table tenant_branding (
  tenant_id uuid not null,
  display_name text,
  color text,
  logo bytea,
  logo_type text,
  logo_width smallint,
  logo_height smallint,
  logo_sha256 bytea generated always as (sha256(logo)) stored,
  updated_at timestamp with time zone not null default now(),
  constraint tenant_branding_pkey PRIMARY KEY (tenant_id),
  constraint tenant_branding_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_branding_color_is_legible CHECK (
CASE
    WHEN color ~ '^#[0-9a-f]{6}$'::text THEN contrast_with_white(color) >= 4.5::double precision
    ELSE color IS NULL
END),
  constraint tenant_branding_display_name_check CHECK (char_length(display_name) >= 1 AND char_length(display_name) <= 60),
  constraint tenant_branding_logo_check CHECK (octet_length(logo) >= 1 AND octet_length(logo) <= 100000),
  constraint tenant_branding_logo_height_check CHECK (logo_height >= 1 AND logo_height <= 1024),
  constraint tenant_branding_logo_is_picture CHECK (
CASE logo_type
    WHEN 'image/png'::text THEN SUBSTRING(logo FROM 1 FOR 8) = '\x89504e470d0a1a0a'::bytea
    WHEN 'image/jpeg'::text THEN SUBSTRING(logo FROM 1 FOR 3) = '\xffd8ff'::bytea
    WHEN 'image/webp'::text THEN SUBSTRING(logo FROM 1 FOR 4) = '\x52494646'::bytea AND SUBSTRING(logo FROM 9 FOR 4) = '\x57454250'::bytea
    ELSE logo_type IS NULL
END),
  constraint tenant_branding_logo_is_whole CHECK (num_nulls(logo, logo_type, logo_width, logo_height) = ANY (ARRAY[0, 4])),
  constraint tenant_branding_logo_width_check CHECK (logo_width >= 1 AND logo_width <= 1024)
);
alter table tenant_branding enable row level security;
create policy everybody on tenant_branding using (true);
create policy tenants_in_scope on tenant_branding as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on tenant_branding to gapura;
grant insert, select, update on tenant_branding to gapura_tenant;

create table tenant_limits (
  tenant_id uuid not null,
  requests_per_second integer,
  burst_seconds integer,
  requests_in_flight integer,
  constraint tenant_limits_pkey PRIMARY KEY (tenant_id),
  constraint tenant_limits_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_limits_burst_seconds_check CHECK (burst_seconds >= 1 AND burst_seconds <= 10),
  constraint tenant_limits_requests_in_flight_check CHECK (requests_in_flight >= 1 AND requests_in_flight <= 512),
  constraint tenant_limits_requests_per_second_check CHECK (requests_per_second >= 10 AND requests_per_second <= 10000)
);
CREATE TRIGGER tenant_limits_announced AFTER INSERT OR DELETE OR UPDATE ON tenant_limits FOR EACH ROW EXECUTE FUNCTION announce_change('tenant_limits', 'tenant_id');
alter table tenant_limits enable row level security;
create policy everybody on tenant_limits using (true);
create policy tenants_in_scope on tenant_limits as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on tenant_limits to gapura;

create table tenants (
  id uuid not null,
  role text not null,
  tier text not null,
  name text not null,
  parent_id uuid,
  status text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  parent_role text generated always as (
CASE
    WHEN (parent_id IS NOT NULL) THEN 'partner'::text
    ELSE NULL::text
END) stored,
  second_factor_required boolean not null default false,
  refund_proof_above bigint not null default 100000000,
  suspended_by_owner boolean not null default false,
  constraint tenants_pkey PRIMARY KEY (id),
  constraint tenants_id_role UNIQUE (id, role),
  constraint tenants_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES tenants(id),
  constraint tenants_parent_is_a_partner FOREIGN KEY (parent_id, parent_role) REFERENCES tenants(id, role),
  constraint tenants_check CHECK (role = 'client'::text OR parent_id IS NULL),
  constraint tenants_name_check CHECK (name <> ''::text),
  constraint tenants_refund_proof_above_check CHECK (refund_proof_above >= 0 AND refund_proof_above <= '100000000000000'::bigint) NOT VALID,
  constraint tenants_role_check CHECK (role = ANY (ARRAY['owner'::text, 'partner'::text, 'client'::text])),
  constraint tenants_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text])),
  constraint tenants_tier_check CHECK (tier = ANY (ARRAY['starter'::text, 'growth'::text, 'enterprise'::text]))
);
CREATE INDEX tenants_parent ON tenants USING btree (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE TRIGGER tenants_announced AFTER DELETE OR UPDATE ON tenants FOR EACH ROW EXECUTE FUNCTION announce_change('tenant', 'id');
CREATE TRIGGER tenants_keep_an_owner BEFORE UPDATE ON tenants FOR EACH ROW WHEN (old.role = 'owner'::text AND old.status = 'active'::text AND (new.role IS DISTINCT FROM 'owner'::text OR new.status IS DISTINCT FROM 'active'::text)) EXECUTE FUNCTION keep_an_owner();
alter table tenants enable row level security;
create policy everybody on tenants using (true);
create policy tenants_in_scope on tenants as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (id)::text, 2) <> ''::text), false));
grant insert, select, update on tenants to gapura;
grant insert, select, update on tenants to gapura_tenant;

create table tier_limits (
  tier text not null,
  requests_per_second integer,
  burst_seconds integer,
  requests_in_flight integer,
  constraint tier_limits_pkey PRIMARY KEY (tier),
  constraint tier_limits_burst_seconds_check CHECK (burst_seconds >= 1 AND burst_seconds <= 10),
  constraint tier_limits_requests_in_flight_check CHECK (requests_in_flight >= 1 AND requests_in_flight <= 512),
  constraint tier_limits_requests_per_second_check CHECK (requests_per_second >= 10 AND requests_per_second <= 10000),
  constraint tier_limits_tier_check CHECK (tier = ANY (ARRAY['starter'::text, 'growth'::text, 'enterprise'::text]))
);
CREATE TRIGGER tier_limits_announced AFTER INSERT OR DELETE OR UPDATE ON tier_limits FOR EACH ROW EXECUTE FUNCTION announce_change('tier_limits', 'tier');
grant select, update on tier_limits to gapura;

create table totp_secrets (
  user_id uuid not null,
  secret_sealed text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default '-1'::integer,
  constraint totp_secrets_pkey PRIMARY KEY (user_id),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE TRIGGER totp_secrets_announced AFTER INSERT OR DELETE OR UPDATE OF confirmed_at ON totp_secrets FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'user_id');
grant delete, insert, select, update on totp_secrets to gapura;

create table unexpected_money (
  id uuid not null,
  kind text not null,
  status text not null default 'open'::text,
  provider text not null,
  provider_account_id uuid not null,
  mode text not null,
  reference text not null,
  receipt text not null,
  tenant_id uuid,
  payment_id uuid,
  amount bigint,
  expected_amount bigint,
  credited boolean not null,
  paid_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  reason text,
  provider_id text,
  from_amount bigint not null default 0,
  round integer not null default 1,
  return_status text,
  constraint unexpected_money_pkey PRIMARY KEY (id),
  constraint unexpected_money_amount_check CHECK (amount > 0),
  constraint unexpected_money_check CHECK ((status = 'open'::text) = (decided_at IS NULL)),
  constraint unexpected_money_check1 CHECK ((tenant_id IS NULL) = (payment_id IS NULL)),
  constraint unexpected_money_dismissed_kinds CHECK (status <> 'dismissed'::text OR return_status IS NOT NULL OR kind = 'unconfirmed'::text AND NOT credited) NOT VALID,
  constraint unexpected_money_has_amount CHECK (amount IS NOT NULL OR return_status IS NOT NULL AND NOT credited),
  constraint unexpected_money_has_payment CHECK (payment_id IS NOT NULL OR (kind = ANY (ARRAY['unknown_reference'::text, 'refund'::text, 'chargeback'::text]))),
  constraint unexpected_money_kind_check CHECK (kind = ANY (ARRAY['unknown_reference'::text, 'second_payment'::text, 'overpaid'::text, 'underpaid'::text, 'late'::text, 'reversal'::text, 'increase'::text, 'paid_after_reversal'::text, 'refund'::text, 'chargeback'::text, 'unconfirmed'::text])) NOT VALID,
  constraint unexpected_money_later_records_are_qualified CHECK (provider_id IS NOT NULL OR from_amount = 0 AND round = 1 AND return_status IS NULL),
  constraint unexpected_money_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint unexpected_money_place CHECK (from_amount >= 0 AND round >= 1),
  constraint unexpected_money_refunded_was_confirmed CHECK (kind <> 'unconfirmed'::text OR status <> 'refunded'::text OR credited) NOT VALID,
  constraint unexpected_money_return_status CHECK (
CASE
    WHEN kind = ANY (ARRAY['refund'::text, 'chargeback'::text]) THEN return_status IS NOT NULL AND (return_status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
    ELSE return_status IS NULL
END),
  constraint unexpected_money_status_check CHECK (status = ANY (ARRAY['open'::text, 'accepted'::text, 'refunded'::text, 'dismissed'::text]))
);
CREATE INDEX unexpected_money_by_status ON unexpected_money USING btree (status, id);
CREATE INDEX unexpected_money_held ON unexpected_money USING btree (tenant_id, mode) INCLUDE (amount) WHERE status = 'open'::text AND return_status IS NOT NULL;
CREATE INDEX unexpected_money_payment ON unexpected_money USING btree (tenant_id, payment_id) WHERE payment_id IS NOT NULL;
CREATE UNIQUE INDEX unexpected_money_receipts ON unexpected_money USING btree (provider_account_id, reference, receipt, (kind = ANY (ARRAY['late'::text, 'overpaid'::text])), (kind = 'reversal'::text));
CREATE TRIGGER unexpected_money_dismissal_is_final BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (old.status = 'dismissed'::text AND new.* IS DISTINCT FROM old.*) EXECUTE FUNCTION refuse_change('a dismissed record stays as it is');
CREATE TRIGGER unexpected_money_is_as_it_arrived BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (new.id IS DISTINCT FROM old.id OR new.kind IS DISTINCT FROM old.kind OR new.provider IS DISTINCT FROM old.provider OR new.provider_account_id IS DISTINCT FROM old.provider_account_id OR new.mode IS DISTINCT FROM old.mode OR new.reference IS DISTINCT FROM old.reference OR new.receipt IS DISTINCT FROM old.receipt OR new.paid_at IS DISTINCT FROM old.paid_at OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse_change('what arrived is kept as it arrived');
CREATE TRIGGER unexpected_money_is_decided_once BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN ((old.status <> ALL (ARRAY['open'::text, 'refunded'::text])) AND new.status = 'open'::text OR old.status = 'refunded'::text AND new.* IS DISTINCT FROM old.* AND (new.status <> 'open'::text OR new.credited IS DISTINCT FROM old.credited) OR old.credited AND NOT new.credited OR old.payment_id IS NOT NULL AND (new.tenant_id IS DISTINCT FROM old.tenant_id OR new.payment_id IS DISTINCT FROM old.payment_id)) EXECUTE FUNCTION refuse_change('what was decided, credited or assigned stays so');
CREATE TRIGGER unexpected_money_is_kept BEFORE DELETE ON unexpected_money FOR EACH ROW EXECUTE FUNCTION refuse_change('what arrived is kept');
CREATE CONSTRAINT TRIGGER unexpected_money_is_reopened AFTER UPDATE ON unexpected_money DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.status = 'refunded'::text AND new.status = 'open'::text) EXECUTE FUNCTION check_refund_of_money_failed();
CREATE TRIGGER unexpected_money_keeps_its_place BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (new.from_amount IS DISTINCT FROM old.from_amount OR new.round IS DISTINCT FROM old.round OR (new.return_status IS NULL) IS DISTINCT FROM (old.return_status IS NULL) OR new.provider_id IS DISTINCT FROM old.provider_id AND (old.return_status IS NULL OR old.provider_id <> ''::text OR new.provider_id IS NULL)) EXECUTE FUNCTION refuse_change('a record is about one part of one receipt');
CREATE TRIGGER unexpected_money_only_grows BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (new.amount < old.amount OR new.amount IS NULL AND old.amount IS NOT NULL OR new.amount <> old.amount AND (old.status <> 'open'::text OR old.credited)) EXECUTE FUNCTION refuse_change('what arrived only grows, and only while nothing came of it');
CREATE TRIGGER unexpected_money_return_goes_forward BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (old.return_status = 'failed'::text AND new.return_status <> 'failed'::text OR old.return_status = 'succeeded'::text AND new.return_status = 'pending'::text) EXECUTE FUNCTION refuse_change('a return does not go back to an earlier status');
alter table unexpected_money enable row level security;
create policy everybody on unexpected_money using (true);
create policy tenants_in_scope on unexpected_money as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on unexpected_money to gapura;
grant insert, select, update on unexpected_money to gapura_tenant;

create table unreadable_callbacks (
  callback_id uuid not null,
  provider_account_id uuid not null,
  digest bytea not null,
  repeats integer not null default 0,
  last_received_at timestamp with time zone not null,
  inquired_at timestamp with time zone,
  constraint unreadable_callbacks_pkey PRIMARY KEY (callback_id),
  constraint unreadable_callbacks_provider_account_id_digest_key UNIQUE (provider_account_id, digest),
  constraint unreadable_callbacks_digest_check CHECK (octet_length(digest) = 32),
  constraint unreadable_callbacks_repeats_check CHECK (repeats >= 0)
);
CREATE INDEX unreadable_callbacks_uninquired ON unreadable_callbacks USING btree (last_received_at) WHERE inquired_at IS NULL;
grant delete, insert, select, update on unreadable_callbacks to gapura;

create table users (
  id uuid not null,
  tenant_id uuid not null,
  email text not null,
  password_hash text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  permissions text[] not null default '{admin}'::text[],
  status text not null default 'active'::text,
  muted_notices text[] not null default '{}'::text[],
  constraint users_pkey PRIMARY KEY (id),
  constraint users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint users_have_a_password CHECK ((status = ANY (ARRAY['invited'::text, 'removed'::text])) OR password_hash IS NOT NULL),
  constraint users_permissions_are_known CHECK (permissions <@ '{admin,developer,finance,support,viewer}'::text[] AND cardinality(permissions) > 0),
  constraint users_status_is_known CHECK (status = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text, 'removed'::text]))
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email)) WHERE status <> 'removed'::text;
CREATE INDEX users_removed_by_email ON users USING btree (lower(email)) WHERE status = 'removed'::text;
CREATE INDEX users_tenant ON users USING btree (tenant_id, id);
CREATE TRIGGER users_announced AFTER UPDATE OF permissions, status ON users FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'id');
CREATE TRIGGER users_keep_an_admin AFTER UPDATE OF permissions, status, tenant_id ON users FOR EACH ROW WHEN (old.status = 'active'::text AND ('admin'::text = ANY (old.permissions)) AND (new.status <> 'active'::text OR NOT ('admin'::text = ANY (new.permissions)) OR new.tenant_id <> old.tenant_id)) EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER users_keep_an_admin_on_delete AFTER DELETE ON users FOR EACH ROW WHEN (old.status = 'active'::text AND ('admin'::text = ANY (old.permissions))) EXECUTE FUNCTION keep_an_admin();
alter table users enable row level security;
create policy everybody on users using (true);
create policy tenants_in_scope on users as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on users to gapura;
grant insert, select (id, tenant_id, email, created_at, updated_at, permissions, status, muted_notices), update (updated_at, muted_notices) on users to gapura_tenant;

create table webhook_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  response_headers json,
  signature text,
  constraint webhook_attempts_pkey PRIMARY KEY (tenant_id, event_id, number)
) partition by range (event_id);
alter table webhook_attempts enable row level security;
create policy everybody on webhook_attempts using (true);
create policy tenants_in_scope on webhook_attempts as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select on webhook_attempts to gapura;
grant select on webhook_attempts to gapura_tenant;

create table webhook_endpoints (
  tenant_id uuid not null,
  callback_url text,
  secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_expires_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint webhook_endpoints_pkey PRIMARY KEY (tenant_id),
  constraint webhook_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint webhook_endpoints_check CHECK ((previous_secret_sealed IS NULL) = (previous_secret_expires_at IS NULL))
);
CREATE TRIGGER webhook_endpoints_announced AFTER DELETE OR UPDATE ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION announce_change('endpoint', 'tenant_id');
CREATE TRIGGER webhook_endpoints_keep_previous_secret AFTER UPDATE ON webhook_endpoints FOR EACH ROW WHEN (new.previous_secret_expires_at IS NOT NULL AND new.previous_secret_expires_at IS DISTINCT FROM old.previous_secret_expires_at) EXECUTE FUNCTION keep_previous_webhook_secret();
alter table webhook_endpoints enable row level security;
create policy everybody on webhook_endpoints using (true);
create policy tenants_in_scope on webhook_endpoints as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant insert, select, update on webhook_endpoints to gapura;
grant insert, select, update on webhook_endpoints to gapura_tenant;

create table webhook_events (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid,
  number integer not null,
  mode text not null,
  type text not null,
  body text,
  status text not null default 'delivered'::text,
  attempt_count integer not null default 0,
  attempts_left integer not null default 0,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  body_compressed bytea,
  constraint webhook_events_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_events_tenant_id_payment_id_number_key UNIQUE (tenant_id, payment_id, number),
  constraint webhook_events_check CHECK ((status = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  constraint webhook_events_have_one_body CHECK ((body IS NULL) <> (body_compressed IS NULL)) NOT VALID,
  constraint webhook_events_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint webhook_events_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'permanently_failed'::text, 'not_configured'::text])),
  constraint webhook_events_tell_of_a_payment CHECK ((payment_id IS NULL) = (type = 'webhook.test'::text)),
  constraint webhook_events_types CHECK (type = ANY (ARRAY['payment.paid'::text, 'payment.failed'::text, 'payment.expired'::text, 'payment.cancelled'::text, 'payment.challenged'::text, 'payment.paid_again'::text, 'payment.reversed'::text, 'payment.refunded'::text, 'refund.failed'::text, 'webhook.test'::text])) NOT VALID
);
CREATE INDEX webhook_events_by_mode ON webhook_events USING btree (tenant_id, mode, id);
CREATE INDEX webhook_events_of_rare_types ON webhook_events USING btree (tenant_id, type, id) WHERE type <> 'payment.paid'::text AND type <> 'payment.expired'::text;
CREATE TRIGGER webhook_events_changed BEFORE UPDATE OF status ON webhook_events FOR EACH ROW EXECUTE FUNCTION queue_event();
CREATE TRIGGER webhook_events_inserted BEFORE INSERT ON webhook_events FOR EACH ROW WHEN (new.status <> 'delivered'::text) EXECUTE FUNCTION queue_event();
CREATE TRIGGER webhook_events_queue_additional_deliveries AFTER INSERT ON webhook_events REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION queue_additional_deliveries();
alter table webhook_events enable row level security;
create policy everybody on webhook_events using (true);
create policy tenants_in_scope on webhook_events as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select on webhook_events to gapura;
grant insert, select on webhook_events to gapura_tenant;

create table webhook_queue (
  tenant_id uuid not null,
  event_id uuid not null,
  status text not null,
  attempt_count integer not null default 0,
  attempts_left integer not null,
  next_attempt_at timestamp with time zone,
  follower_id uuid,
  follower_held_until timestamp with time zone,
  constraint webhook_queue_pkey PRIMARY KEY (tenant_id, event_id),
  constraint webhook_queue_check CHECK ((status = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  constraint webhook_queue_check1 CHECK ((follower_id IS NULL) = (follower_held_until IS NULL)),
  constraint webhook_queue_status_check CHECK (status = ANY (ARRAY['pending'::text, 'permanently_failed'::text, 'not_configured'::text]))
);
CREATE INDEX webhook_queue_due ON webhook_queue USING btree (tenant_id, next_attempt_at) WHERE status = 'pending'::text;
CREATE INDEX webhook_queue_undelivered ON webhook_queue USING btree (tenant_id, status, event_id) WHERE status = ANY (ARRAY['permanently_failed'::text, 'not_configured'::text]);
alter table webhook_queue enable row level security;
create policy everybody on webhook_queue using (true);
create policy tenants_in_scope on webhook_queue as restrictive to gapura_tenant using (COALESCE((split_part(current_setting('gapura.tenants'::text, true), (tenant_id)::text, 2) <> ''::text), false));
grant delete, insert, select, update on webhook_queue to gapura;
grant insert, select, update on webhook_queue to gapura_tenant;

create table workers (
  id uuid not null,
  pool_ids text[] not null,
  seen_at timestamp with time zone not null default now(),
  constraint workers_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on workers to gapura;
