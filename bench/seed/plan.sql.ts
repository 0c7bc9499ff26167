// Plans the payments that fill the database. The plan has one row per payment, from which the rows of all tables are
// derived.

/**
 * Inserts clients until there are $1 clients. Each new client gets a live and a test balance, because ledger entries
 * require a balance.
 */
export const addTenants = `
  with made as (
    insert into tenants (id, role, tier, name)
    select uuidv7(n * interval '1 millisecond' - interval '91 days'), 'client', 'growth', 'Merchant ' || n
    from generate_series(1, $1 - (select count(*) from tenants where role = 'client')) n
    returning id
  )
  insert into balances (tenant_id, mode) select id, mode from made, unnest(array['live', 'test']) mode`

/**
 * Adds a provider account if none exists, because every payment refers to an account. The added account cannot
 * charge.
 */
export const addAccounts = `
  insert into provider_accounts (id, provider_code, mode, name, credentials_sealed, enabled)
  select uuidv7(), 'midtrans', mode, 'Seeded ' || mode, 'none', false
  from unnest(array['live', 'test']) mode
  where not exists (select from provider_accounts a where a.mode = mode.mode and a.provider_code = 'midtrans')`

/**
 * Plans $1 payments in time order over the 90 days until an hour ago.
 *
 * - About a fifth of the payments belong to the first tenant. Of the other tenants, those created earlier have more
 *   payments.
 * - A quarter of the payments are in test mode. Nine of ten payments are paid.
 * - Pending payments expire only weeks later, so that no job polls a provider about them.
 */
export const makePlan = `
  create unlogged table seed_plan as
  with tenant as (
    select array_agg(id order by id) as ids, count(*)::integer as count
    from (select id from tenants where role = 'client' order by id limit $2) chosen
  ), account as (
    select (array_agg(id order by id) filter (where mode = 'live'))[1] as live,
           (array_agg(id order by id) filter (where mode = 'test'))[1] as test
    from provider_accounts where provider_code = 'midtrans'
  ), drawn as (
    select n, case when random() < 0.2 then 1 else 1 + floor(tenant.count * random() ^ 2)::integer end as place,
           case when random() < 0.75 then 'live' else 'test' end as mode, random() as chance, random() as share,
           now() - interval '1 hour' - interval '90 days' * (1 - n / $1::float8) as created_at
    from generate_series(1, $1::integer) n, tenant
  ), timed as (
    select drawn.*, case
             when n % 10 <> 0 then 'paid'
             when chance < 0.5 then 'expired' when chance < 0.7 then 'failed' when chance < 0.9 then 'cancelled'
             when created_at > now() - interval '20 days' then 'pending' else 'expired' end as status
    from drawn
  )
  select n, tenant.ids[place] as tenant_id, mode, status, created_at,
         case mode when 'live' then account.live else account.test end as account_id,
         uuidv7(created_at - clock_timestamp()) as id,
         case when status <> 'pending' then created_at + interval '20 minutes' * share + interval '5 seconds' end as ended_at,
         (10 + floor(chance * 990))::bigint * 100000 as amount,
         (array['virtual_account', 'virtual_account', 'qris', 'e_wallet'])[1 + n % 4] as method_type,
         (array['bca', 'bni', 'qris', 'gopay'])[1 + n % 4] as channel,
         'GP' || to_char(created_at at time zone 'UTC', 'YYMMDD') || '-' || (
           select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (1 + ((scattered >> shift) & 31))::integer, 1), '')
           from generate_series(45, 0, -5) shift,
                -- A multiple of an odd number is no other's, and the codes of a day are in no order.
                lateral (select n::bigint * 1103515245 & ((1::bigint << 50) - 1) as scattered) s
         ) as code
  from timed, tenant, account`

export const readPlan = 'select count(*)::integer as count, max(n)::integer as last from seed_plan'
