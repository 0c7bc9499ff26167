// Inserts all rows of the planned payments (plan.sql.ts) with a number above $1 and at most $2, one table after the
// other. The rows are the same as if the service had created and processed these payments.

const between = 'from seed_plan p where p.n > $1 and p.n <= $2'

/**
 * An SQL condition for the oldest third of the payments. Their order references have another format, as if
 * the merchants had changed the format later.
 */
const isOld = `p.n <= (select max(n) / 3 from seed_plan)`
/** SQL for a 13-digit number that looks random but is the same on every run. */
const digits = `lpad((('x' || left(md5(p.n::text), 13))::bit(52)::bigint % 10000000000000)::text, 13, '0')`

const methodDetail = `jsonb_build_object('type', p.method_type) || case p.method_type
  when 'virtual_account' then jsonb_build_object('bank', upper(p.channel))
  when 'e_wallet' then jsonb_build_object('wallet_type', upper(p.channel))
  when 'over_the_counter' then jsonb_build_object('store', upper(p.channel)) else '{}' end`
const methodData = `(${methodDetail}) - 'store' || case p.method_type
  when 'virtual_account' then jsonb_build_object('va_number', '812' || ${digits})
  when 'qris' then jsonb_build_object('qr_string', '00020101021226590014ID.CO.QRIS.WWW01189360091400' || p.n,
    'qr_image_url', 'https://simulator.example/qr/' || p.n)
  when 'over_the_counter' then jsonb_build_object('payment_code', '740' || ${digits}, 'store_name', initcap(p.channel))
  else jsonb_build_object('redirect_url', 'https://simulator.example/checkout/' || p.n, 'deeplink', '') end`
const providerPaymentId = `md5(p.n::text)::uuid::text`
const idempotencyKey = `case when ${isOld} then 'inv-' else 'order-' end || p.n`
/**
 * The payer's email address. In the oldest third of the payments, every twentieth address is at a former
 * email provider.
 */
const email = `case when ${isOld} and p.n % 20 = 3 then split_part(c.email, '@', 1) || '@plasa.com' else c.email end`

/**
 * Inserts payments together with their search words. Otherwise, the trigger would insert the search words for one
 * payment at a time.
 */
export const payments = `
  with made as (
  insert into payments (
    tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type, channel,
    method_detail, method_data, status, transition_count, provider, provider_account_id, provider_payment_id,
    customer_name, customer_email, customer_phone, items, expiry_minutes, expires_at, paid_at, amount_paid,
    failure_reason, next_check_at, created_at, updated_at, paid_reference, receipt)
  select p.tenant_id, p.id, p.mode, p.code, ${idempotencyKey}, sha256(p.n::text::bytea), p.amount, 'IDR', p.method_type,
    p.channel, ${methodDetail}, ${methodData}, p.status, case p.status when 'pending' then 1 else 2 end, 'midtrans',
    p.account_id, ${providerPaymentId},
    c.name, ${email}, c.phone, '[]', case p.status when 'pending' then 43200 else 30 end,
    p.created_at + case p.status when 'pending' then interval '30 days' else interval '30 minutes' end,
    case p.status when 'paid' then p.ended_at end, case p.status when 'paid' then p.amount end,
    case p.status when 'failed' then 'denied by the bank' end,
    case p.status when 'pending' then p.created_at + interval '30 days' - interval '1 minute' end,
    p.created_at, coalesce(p.ended_at, p.created_at),
    case p.status when 'paid' then p.code end, case p.status when 'paid' then ${providerPaymentId} end
  from seed_plan p join seed_payers c on c.n = p.payer where p.n > $1 and p.n <= $2 order by p.n
  returning payments as payment
  )
  insert into payment_search (tenant_id, payment_id, words)
  select (payment).tenant_id, (payment).id, payment_search_words(payment) from made order by (payment).id`

export const references = `
  insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
  select p.code, p.tenant_id, p.id, p.account_id, 'midtrans', p.created_at ${between} order by p.n`

export const transitions = `
  insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause)
  select p.tenant_id, p.id, step.number, step.at, step.from_status, step.to_status, step.cause
  from seed_plan p cross join lateral (values
    (1, p.created_at + interval '50 milliseconds', 'charging', 'pending', 'create'),
    (2, p.ended_at, 'pending', p.status, case p.status when 'expired' then 'expiry' when 'cancelled' then 'cancel' else 'callback' end)
  ) step (number, at, from_status, to_status, cause)
  where p.n > $1 and p.n <= $2 and step.at is not null order by p.n, step.number`

export const callbacks = `
  insert into provider_callbacks (
    id, provider_account_id, provider, received_at, path, headers, body, status, tenant_id, payment_id, processed_at)
  select uuidv7(p.ended_at - clock_timestamp()), p.account_id, 'midtrans', p.ended_at, '/v1/callbacks/midtrans/' || p.account_id,
    '{"content-type": "application/json", "user-agent": "Veritrans"}',
    convert_to(format(
      '{"transaction_time":"%s","transaction_status":"%s","transaction_id":"%s","status_code":"200","signature_key":"%s",'
      '"order_id":"%s","gross_amount":"%s.00","currency":"IDR"}',
      date_trunc('second', p.created_at), case p.status when 'paid' then 'settlement' else 'expire' end,
      ${providerPaymentId}, md5(p.code) || md5(p.n::text), p.code, p.amount / 100), 'UTF8'),
    'applied', p.tenant_id, p.id, p.ended_at + interval '8 milliseconds'
  ${between} and p.status in ('paid', 'expired', 'failed') order by p.ended_at`

/**
 * Chooses and stores the ID of each webhook event before the events are inserted, so that the delivery
 * attempts can refer to the event.
 */
export const eventPlan = `
  create unlogged table seed_events as
  select p.n, p.tenant_id, p.id as payment_id, uuidv7(p.ended_at - clock_timestamp()) as id
  from seed_plan p where p.status <> 'pending'`

export const events = `
  insert into webhook_events (
    tenant_id, id, payment_id, number, mode, type, body, created_at)
  select e.tenant_id, e.id, e.payment_id, 2, p.mode, 'payment.' || p.status, format(
      '{"id":"%s","type":"payment.%s","created_at":"%s","mode":"%s","previous_status":"pending","data":{"id":"%s",'
      '"payment_code":"%s","idempotency_key":"order-%s","amount":%s,"currency":"IDR","method_type":"%s","status":"%s"}}',
      e.id, p.status, date_trunc('second', p.ended_at), p.mode, p.id, p.code, p.n, p.amount, p.method_type, p.status), p.ended_at
  from seed_events e join seed_plan p on p.n = e.n where p.n > $1 and p.n <= $2 order by p.ended_at`

/**
 * One in every thousand events was never delivered. This statement adds these events to the delivery queue as
 * permanently failed.
 */
export const undelivered = `
  insert into webhook_queue (tenant_id, event_id, status, attempt_count, attempts_left)
  select tenant_id, id, 'permanently_failed', 4, 0 from seed_events where n > $1 and n <= $2 and n % 1000 = 7`

export const attempts = `
  insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body)
  select e.tenant_id, e.id, number, p.ended_at + interval '10 seconds' * (number - 1), 12,
    case when e.n % 1000 = 7 then 503 else 200 end, case when e.n % 1000 = 7 then 'try later' else 'ok' end
  from seed_events e join seed_plan p on p.n = e.n
    cross join generate_series(1, case when e.n % 1000 = 7 then 4 else 1 end) number
  where p.n > $1 and p.n <= $2 order by p.ended_at`

/**
 * Inserts all ledger entries in one statement, because each entry's version and balance continue those of the previous
 * entry. Of every ten payments, one is unpaid and has no entry, one has a credit and a fee, and the others have one
 * entry.
 */
export const ledger = `
  insert into ledger_entries (
    tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at,
    counter_account)
  select c.tenant_id, uuidv7(c.at - clock_timestamp()), c.mode, b.version + c.version, c.payment_id, c.entry_type, c.amount,
    b.balance + c.balance, c.code, case c.entry_type when 'credit' then 'payment ' || c.code || ' received' else 'fee' end, c.at, c.account_id
  from (
    select m.*, row_number() over chain as version,
           sum(case m.entry_type when 'credit' then m.amount else -m.amount end) over chain as balance
    from (
      select n, tenant_id, mode, id as payment_id, code, ended_at as at, 'credit' as entry_type, amount, account_id
      from seed_plan where status = 'paid'
      union all
      select n, tenant_id, mode, id, code, ended_at, 'debit', 450000, '00000000-0000-0000-0000-000000000003'
      from seed_plan where status = 'paid' and n % 10 = 1
    ) m
    window chain as (partition by m.tenant_id, m.mode order by m.at, m.n, m.entry_type rows unbounded preceding)
  ) c join balances b on b.tenant_id = c.tenant_id and b.mode = c.mode
  order by c.at, c.n, c.entry_type`

export const balances = `
  update balances b set balance = last.balance_after, version = last.version
  from (
    select distinct on (tenant_id, mode) tenant_id, mode, balance_after, version
    from ledger_entries order by tenant_id, mode, version desc
  ) last
  where b.tenant_id = last.tenant_id and b.mode = last.mode`

export const accounts = `
  insert into book_accounts (tenant_id, mode, account_id, balance)
  select tenant_id, mode, counter_account, sum(case entry_type when 'debit' then amount else -amount end)
  from ledger_entries group by tenant_id, mode, counter_account
  on conflict (tenant_id, mode, account_id) do update set balance = book_accounts.balance + excluded.balance`

/**
 * Marks the daily jobs as done: the reconciliation of past days, and today's verification of the ledger. Otherwise,
 * these jobs would start during each measurement.
 */
export const dailyWork = `
  with day as (
    select (now() at time zone 'Asia/Jakarta')::date - back as day from generate_series(0, 8) back
  ), reconciled as (
    insert into reconciliation_runs (day, mode, id, started_at, compared_at, ended_at, completed_at)
    select day, mode, uuidv7(), now(), now(), now(), now() from day, unnest(array['live', 'test']) mode
    on conflict do nothing
  )
  insert into ledger_verifications (day, started_at, beat_at, ended_at) select max(day), now(), now(), now() from day
  on conflict do nothing`

/**
 * Stores one seal (a hash) per balance that covers all ledger entries, so that the workers do not seal millions of
 * entries during the measurements. The hashes are placeholders.
 */
export const seals = `
  insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
  select b.tenant_id, b.mode, coalesce(last.to_version, 0) + 1, b.version,
         coalesce(last.hash, decode(repeat('00', 32), 'hex')), sha256('bench'), nextval('ledger_rounds')
  from balances b
  left join lateral (
    select s.to_version, s.hash from ledger_seals s
    where s.tenant_id = b.tenant_id and s.mode = b.mode order by s.to_version desc limit 1
  ) last on true
  where b.version > coalesce(last.to_version, 0)`
