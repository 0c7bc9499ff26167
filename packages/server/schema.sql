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
    where e.tenant_id = b.tenant_id and e.mode = b.mode order by e.version desc limit 1
  ) last on true
  where b.tenant_id = new.tenant_id and b.mode = new.mode
    and (b.version, b.balance) = (coalesce(last.version, 0), coalesce(last.balance_after, 0));
  if not found then
    raise exception 'balance (%, %) is not what its last entry says', new.tenant_id, new.mode using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_entry_names_its_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from unexpected_money m
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
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_paid_is_credited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from ledger_entries
  where tenant_id = new.tenant_id and payment_id = new.id and entry_type = 'credit' and amount = new.amount_paid
    and unexpected_money_id is null;
  if not found then
    raise exception 'payment % is paid without its credit of %', new.id, new.amount_paid using errcode = 'check_violation';
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

CREATE OR REPLACE FUNCTION public.tenants_in_scope()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select nullif(current_setting('gapura.tenants', true), '')::uuid[]
$function$;

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
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint api_keys_key_hash_check CHECK (octet_length(key_hash) = 32),
  constraint api_keys_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX api_keys_tenant ON api_keys USING btree (tenant_id, id);
CREATE TRIGGER api_keys_announced AFTER DELETE OR UPDATE OF tenant_id, mode, key_hash, expires_at, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_change('key', 'key_hash');
alter table api_keys enable row level security;
create policy everybody on api_keys using (true);
create policy tenants_in_scope on api_keys as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select, update on api_keys to gapura;
grant insert, select (id, tenant_id, mode, name, display_prefix, created_by, created_at, last_used_at, expires_at, revoked_at), update (expires_at, revoked_at) on api_keys to gapura_tenant;

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
create policy tenants_in_scope on api_requests as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on audit_log as restrictive to gapura_tenant using (COALESCE(((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])) OR (actor_tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[]))), false));
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
create policy tenants_in_scope on balances as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select, update on balances to gapura;
grant insert, select, update on balances to gapura_tenant;

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
create policy tenants_in_scope on entitlements as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant delete, insert, select, update on entitlements to gapura;
grant delete, insert, select, update on entitlements to gapura_tenant;

create table ledger_differences (
  fingerprint bytea not null,
  difference jsonb not null,
  found_at timestamp with time zone not null,
  last_found_at timestamp with time zone not null,
  told_at timestamp with time zone,
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
  payment_id uuid not null,
  entry_type text not null,
  amount bigint not null,
  balance_after bigint not null,
  reference_id text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  unexpected_money_id uuid,
  constraint ledger_entries_pkey PRIMARY KEY (tenant_id, id),
  constraint ledger_entries_tenant_id_mode_version_key UNIQUE (tenant_id, mode, version),
  constraint ledger_entries_tenant_id_payment_id_fkey FOREIGN KEY (tenant_id, payment_id) REFERENCES payments(tenant_id, id),
  constraint ledger_entries_unexpected_money_id_fkey FOREIGN KEY (unexpected_money_id) REFERENCES unexpected_money(id),
  constraint ledger_entries_amount_check CHECK (amount > 0),
  constraint ledger_entries_balance_is_exact CHECK (balance_after >= '-9007199254740991'::bigint AND balance_after <= '9007199254740991'::bigint) NOT VALID,
  constraint ledger_entries_entry_type_check CHECK (entry_type = ANY (ARRAY['credit'::text, 'debit'::text])),
  constraint ledger_entries_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint ledger_entries_say_why CHECK (reason ~ '\S'::text),
  constraint ledger_entries_version_check CHECK (version > 0)
);
CREATE UNIQUE INDEX ledger_entries_one_credit ON ledger_entries USING btree (tenant_id, payment_id) WHERE entry_type = 'credit'::text AND unexpected_money_id IS NULL;
CREATE UNIQUE INDEX ledger_entries_one_for_unexpected_money ON ledger_entries USING btree (tenant_id, unexpected_money_id, entry_type) WHERE unexpected_money_id IS NOT NULL;
CREATE INDEX ledger_entries_payment ON ledger_entries USING btree (tenant_id, payment_id);
CREATE TRIGGER ledger_entries_are_appended BEFORE DELETE OR UPDATE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change('the ledger is append-only; correct it with a new entry');
CREATE TRIGGER ledger_entries_are_kept BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only; correct it with a new entry');
CREATE TRIGGER ledger_entries_follow AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS appended FOR EACH STATEMENT EXECUTE FUNCTION append_to_balance();
CREATE TRIGGER ledger_entries_name_their_money BEFORE INSERT ON ledger_entries FOR EACH ROW WHEN (new.unexpected_money_id IS NOT NULL) EXECUTE FUNCTION check_entry_names_its_money();
alter table ledger_entries enable row level security;
create policy everybody on ledger_entries using (true);
create policy tenants_in_scope on ledger_entries as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select on ledger_entries to gapura;
grant insert, maintain, references, select, trigger on ledger_entries to gapura_owner;
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
create policy tenants_in_scope on management_requests as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant delete, insert, select, update on management_requests to gapura;
grant insert, select, update on management_requests to gapura_tenant;

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
create policy tenants_in_scope on payment_references as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select, update on payment_references to gapura;
grant insert, select, update on payment_references to gapura_tenant;

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
create policy tenants_in_scope on payment_transitions as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
CREATE INDEX payments_by_kind ON payments USING btree (tenant_id, mode, status, method_type, provider, id);
CREATE INDEX payments_challenged ON payments USING btree (updated_at, tenant_id, id) WHERE status = 'challenged'::text;
CREATE INDEX payments_customer_email ON payments USING btree (tenant_id, lower(customer_email) text_pattern_ops) WHERE customer_email <> ''::text;
CREATE INDEX payments_customer_name ON payments USING btree (tenant_id, lower(customer_name) text_pattern_ops) WHERE customer_name <> ''::text;
CREATE INDEX payments_customer_phone ON payments USING btree (tenant_id, lower(customer_phone) text_pattern_ops) WHERE customer_phone <> ''::text;
CREATE INDEX payments_due_by_tenant ON payments USING btree (provider_account_id, tenant_id, next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_of_account_by_provider_id ON payments USING btree (provider_account_id, provider_payment_id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payments_paid_in_order ON payments USING btree (tenant_id, paid_at, id) WHERE paid_at IS NOT NULL;
CREATE INDEX payments_provider_payment_id ON payments USING btree (tenant_id, provider_payment_id) WHERE provider_payment_id IS NOT NULL;
CREATE INDEX payments_unknown ON payments USING btree (updated_at) WHERE status = 'unknown'::text;
CREATE TRIGGER payments_are_kept BEFORE DELETE ON payments FOR EACH ROW EXECUTE FUNCTION refuse_change('payments are kept');
CREATE TRIGGER payments_confirmed_once BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND new.unconfirmed_since IS NOT NULL AND new.unconfirmed_since IS DISTINCT FROM old.unconfirmed_since) EXECUTE FUNCTION refuse_change('a payment that was confirmed stays confirmed');
CREATE TRIGGER payments_fingerprint_version_is_fixed BEFORE UPDATE ON payments FOR EACH ROW WHEN (new.fingerprint_version IS DISTINCT FROM old.fingerprint_version) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
CREATE TRIGGER payments_nothing_leaves_paid BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND (new.status IS DISTINCT FROM old.status OR new.amount_paid IS DISTINCT FROM old.amount_paid OR new.paid_at IS DISTINCT FROM old.paid_at)) EXECUTE FUNCTION refuse_change('a paid payment stays as it was paid');
CREATE TRIGGER payments_orders_are_fixed BEFORE UPDATE OF method_type, method_detail, customer_name, customer_email, customer_phone, items, return_url, customer_ip, expiry_minutes, created_at ON payments FOR EACH ROW WHEN (new.method_type IS DISTINCT FROM old.method_type OR new.method_detail IS DISTINCT FROM old.method_detail OR new.customer_name IS DISTINCT FROM old.customer_name OR new.customer_email IS DISTINCT FROM old.customer_email OR new.customer_phone IS DISTINCT FROM old.customer_phone OR new.items IS DISTINCT FROM old.items OR new.return_url IS DISTINCT FROM old.return_url OR new.customer_ip IS DISTINCT FROM old.customer_ip OR new.expiry_minutes IS DISTINCT FROM old.expiry_minutes OR new.created_at IS DISTINCT FROM old.created_at) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
CREATE TRIGGER payments_paid_by_one_receipt BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.status = 'paid'::text AND (old.paid_reference IS NOT NULL AND new.paid_reference IS DISTINCT FROM old.paid_reference OR old.receipt IS NOT NULL AND new.receipt IS DISTINCT FROM old.receipt)) EXECUTE FUNCTION refuse_change('by what a payment was paid is fixed once it is known');
CREATE CONSTRAINT TRIGGER payments_paid_is_credited AFTER INSERT OR UPDATE ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'paid'::text) EXECUTE FUNCTION check_paid_is_credited();
CREATE TRIGGER payments_reversed_once BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.reversed_at IS NOT NULL AND new.reversed_at IS DISTINCT FROM old.reversed_at) EXECUTE FUNCTION refuse_change('a payment is taken back once');
CREATE TRIGGER payments_terms_are_fixed BEFORE UPDATE ON payments FOR EACH ROW WHEN (new.tenant_id IS DISTINCT FROM old.tenant_id OR new.id IS DISTINCT FROM old.id OR new.mode IS DISTINCT FROM old.mode OR new.payment_code IS DISTINCT FROM old.payment_code OR new.idempotency_key IS DISTINCT FROM old.idempotency_key OR new.fingerprint IS DISTINCT FROM old.fingerprint OR new.amount IS DISTINCT FROM old.amount OR new.currency IS DISTINCT FROM old.currency) EXECUTE FUNCTION refuse_change('what was agreed at creation is fixed');
alter table payments enable row level security;
create policy everybody on payments using (true);
create policy tenants_in_scope on payments as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on previous_webhook_secrets as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
  headers jsonb not null,
  body bytea not null,
  status text not null default 'received'::text,
  reason text,
  tenant_id uuid,
  payment_id uuid,
  processed_at timestamp with time zone,
  path text not null default ''::text,
  job uuid,
  constraint provider_callbacks_pkey PRIMARY KEY (id),
  constraint provider_callbacks_status_check CHECK (status = ANY (ARRAY['received'::text, 'applied'::text, 'repeated'::text, 'refused'::text, 'ignored'::text, 'unmatched'::text, 'unreadable'::text]))
) partition by range (id);
CREATE INDEX provider_callbacks_by_account ON ONLY provider_callbacks USING btree (provider_account_id, status, id);
CREATE INDEX provider_callbacks_payment ON ONLY provider_callbacks USING btree (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX provider_callbacks_unapplied ON ONLY provider_callbacks USING btree (received_at) WHERE status = 'received'::text;
grant insert, select, update on provider_callbacks to gapura;

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
create policy tenants_in_scope on reconciliation_checks as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on reconciliation_differences as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on routing_rules as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on session_keys as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant delete, insert, select, update on session_keys to gapura;
grant insert on session_keys to gapura_tenant;

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
create policy tenants_in_scope on settlement_lines as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on tenant_limits as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
  constraint tenants_pkey PRIMARY KEY (id),
  constraint tenants_id_role UNIQUE (id, role),
  constraint tenants_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES tenants(id),
  constraint tenants_parent_is_a_partner FOREIGN KEY (parent_id, parent_role) REFERENCES tenants(id, role),
  constraint tenants_check CHECK (role = 'client'::text OR parent_id IS NULL),
  constraint tenants_name_check CHECK (name <> ''::text),
  constraint tenants_role_check CHECK (role = ANY (ARRAY['owner'::text, 'partner'::text, 'client'::text])),
  constraint tenants_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text])),
  constraint tenants_tier_check CHECK (tier = ANY (ARRAY['starter'::text, 'growth'::text, 'enterprise'::text]))
);
CREATE INDEX tenants_parent ON tenants USING btree (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE TRIGGER tenants_announced AFTER DELETE OR UPDATE ON tenants FOR EACH ROW EXECUTE FUNCTION announce_change('tenant', 'id');
CREATE TRIGGER tenants_keep_an_owner BEFORE UPDATE ON tenants FOR EACH ROW WHEN (old.role = 'owner'::text AND old.status = 'active'::text AND (new.role IS DISTINCT FROM 'owner'::text OR new.status IS DISTINCT FROM 'active'::text)) EXECUTE FUNCTION keep_an_owner();
alter table tenants enable row level security;
create policy everybody on tenants using (true);
create policy tenants_in_scope on tenants as restrictive to gapura_tenant using (COALESCE((id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
  constraint unexpected_money_has_amount CHECK (amount IS NOT NULL OR return_status IS NOT NULL AND NOT credited),
  constraint unexpected_money_has_payment CHECK (payment_id IS NOT NULL OR (kind = ANY (ARRAY['unknown_reference'::text, 'refund'::text, 'chargeback'::text]))),
  constraint unexpected_money_kind_check CHECK (kind = ANY (ARRAY['unknown_reference'::text, 'second_payment'::text, 'overpaid'::text, 'underpaid'::text, 'late'::text, 'reversal'::text, 'increase'::text, 'paid_after_reversal'::text, 'refund'::text, 'chargeback'::text])),
  constraint unexpected_money_later_records_are_qualified CHECK (provider_id IS NOT NULL OR from_amount = 0 AND round = 1 AND return_status IS NULL),
  constraint unexpected_money_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint unexpected_money_only_returns_are_dismissed CHECK (status <> 'dismissed'::text OR return_status IS NOT NULL),
  constraint unexpected_money_place CHECK (from_amount >= 0 AND round >= 1),
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
CREATE TRIGGER unexpected_money_is_decided_once BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (old.status <> 'open'::text AND new.status = 'open'::text OR old.status = 'refunded'::text AND new.* IS DISTINCT FROM old.* OR old.credited AND NOT new.credited OR old.payment_id IS NOT NULL AND (new.tenant_id IS DISTINCT FROM old.tenant_id OR new.payment_id IS DISTINCT FROM old.payment_id)) EXECUTE FUNCTION refuse_change('what was decided, credited or assigned stays so');
CREATE TRIGGER unexpected_money_is_kept BEFORE DELETE ON unexpected_money FOR EACH ROW EXECUTE FUNCTION refuse_change('what arrived is kept');
CREATE TRIGGER unexpected_money_keeps_its_place BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (new.from_amount IS DISTINCT FROM old.from_amount OR new.round IS DISTINCT FROM old.round OR (new.return_status IS NULL) IS DISTINCT FROM (old.return_status IS NULL) OR new.provider_id IS DISTINCT FROM old.provider_id AND (old.return_status IS NULL OR old.provider_id <> ''::text OR new.provider_id IS NULL)) EXECUTE FUNCTION refuse_change('a record is about one part of one receipt');
CREATE TRIGGER unexpected_money_only_grows BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (new.amount < old.amount OR new.amount IS NULL AND old.amount IS NOT NULL OR new.amount <> old.amount AND (old.status <> 'open'::text OR old.credited)) EXECUTE FUNCTION refuse_change('what arrived only grows, and only while nothing came of it');
CREATE TRIGGER unexpected_money_return_goes_forward BEFORE UPDATE ON unexpected_money FOR EACH ROW WHEN (old.return_status = 'failed'::text AND new.return_status <> 'failed'::text OR old.return_status = 'succeeded'::text AND new.return_status = 'pending'::text) EXECUTE FUNCTION refuse_change('a return does not go back to an earlier status');
alter table unexpected_money enable row level security;
create policy everybody on unexpected_money using (true);
create policy tenants_in_scope on unexpected_money as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
  password_hash text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));
CREATE INDEX users_tenant ON users USING btree (tenant_id, id);
alter table users enable row level security;
create policy everybody on users using (true);
create policy tenants_in_scope on users as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select, update on users to gapura;
grant insert, select (id, tenant_id, email, created_at, updated_at) on users to gapura_tenant;

create table webhook_attempts (
  tenant_id uuid not null,
  event_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  constraint webhook_attempts_pkey PRIMARY KEY (tenant_id, event_id, number)
) partition by range (event_id);
alter table webhook_attempts enable row level security;
create policy everybody on webhook_attempts using (true);
create policy tenants_in_scope on webhook_attempts as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on webhook_endpoints as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant insert, select, update on webhook_endpoints to gapura;
grant insert, select, update on webhook_endpoints to gapura_tenant;

create table webhook_events (
  tenant_id uuid not null,
  id uuid not null,
  payment_id uuid,
  number integer not null,
  mode text not null,
  type text not null,
  body text not null,
  status text not null default 'delivered'::text,
  attempt_count integer not null default 0,
  attempts_left integer not null default 0,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhook_events_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_events_tenant_id_payment_id_number_key UNIQUE (tenant_id, payment_id, number),
  constraint webhook_events_check CHECK ((status = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  constraint webhook_events_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint webhook_events_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'permanently_failed'::text, 'not_configured'::text])),
  constraint webhook_events_tell_of_a_payment CHECK ((payment_id IS NULL) = (type = 'webhook.test'::text)),
  constraint webhook_events_type_check CHECK (type = ANY (ARRAY['payment.paid'::text, 'payment.failed'::text, 'payment.expired'::text, 'payment.cancelled'::text, 'payment.challenged'::text, 'payment.paid_again'::text, 'payment.reversed'::text, 'payment.refunded'::text, 'webhook.test'::text]))
);
CREATE INDEX webhook_events_by_mode ON webhook_events USING btree (tenant_id, mode, id);
CREATE TRIGGER webhook_events_changed BEFORE UPDATE OF status ON webhook_events FOR EACH ROW EXECUTE FUNCTION queue_event();
CREATE TRIGGER webhook_events_inserted BEFORE INSERT ON webhook_events FOR EACH ROW WHEN (new.status <> 'delivered'::text) EXECUTE FUNCTION queue_event();
alter table webhook_events enable row level security;
create policy everybody on webhook_events using (true);
create policy tenants_in_scope on webhook_events as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
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
create policy tenants_in_scope on webhook_queue as restrictive to gapura_tenant using (COALESCE((tenant_id = ANY (( SELECT tenants_in_scope() AS tenants_in_scope)::uuid[])), false));
grant delete, insert, select, update on webhook_queue to gapura;
grant insert, select, update on webhook_queue to gapura_tenant;

create table workers (
  id uuid not null,
  pool_ids text[] not null,
  seen_at timestamp with time zone not null default now(),
  constraint workers_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on workers to gapura;
