// Plans the test payments of the benchmarks in a table with one row per payment. The rows of all other tables
// are derived from this plan.

/**
 * Inserts merchants until there are $1 of them. Each new merchant gets a live balance and a test balance,
 * which ledger entries require.
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
 * Adds a provider account if none exists, because every payment refers to one. The added account cannot be used for
 * charges.
 */
export const addAccounts = `
  insert into provider_accounts (id, provider_code, mode, name, credentials_sealed, enabled)
  select uuidv7(), 'midtrans', mode, 'Seeded ' || mode, 'none', false
  from unnest(array['live', 'test']) mode
  where not exists (select from provider_accounts a where a.mode = mode.mode and a.provider_code = 'midtrans')`

const syllables = 'ba da di ga ha hi ja ka ki la li ma na ni pa ra ri sa si su ta ti wa ya'

/**
 * Returns SQL that computes a generated name of four syllables from `rank`, a whole number. The rank is multiplied by a
 * prime, so that different ranks get different names.
 */
const nameOf = (rank: string): string => `(
  select string_agg(substr(replace('${syllables}', ' ', ''), (1 + ((${rank})::bigint * 104729 / power % 24) * 2)::integer, 2), '')
  from unnest(array[1, 24, 576, 13824]) power)`

/**
 * Creates $1 random payers. As in real data, some names and company domains are more frequent than others. Most email
 * addresses belong to one of five domains.
 */
export const addPayers = `
  create unlogged table seed_payers as
  with drawn as (
    select n, floor(2000 ^ random())::integer as first, floor(20000 ^ random())::integer as family,
           floor(20000 ^ random())::integer as company, random() as domain, random() as number
    from generate_series(1, $1::integer) n
  ), named as (
    select drawn.*, ${nameOf('first')} as first_name, ${nameOf('family + 3000')} as surname from drawn
  )
  select n, initcap(first_name) || case when n % 3 = 0 then '' else ' ' || initcap(surname) end as name,
         first_name || case n % 2 when 0 then '.' else '_' end || surname || n % 100 || '@' || case
           when domain < 0.62 then 'gmail.com' when domain < 0.8 then 'yahoo.com' when domain < 0.88 then 'outlook.com'
           when domain < 0.92 then 'icloud.com' when domain < 0.95 then 'yahoo.co.id'
           else ${nameOf('company + 50000')} || '.co.id' end as email,
         '08' || (array['12', '13', '21', '52', '57', '78', '95', '96'])[1 + floor(number * 8)::integer]
           || lpad((floor(number * 8e8)::bigint % 100000000)::text, 8, '0') as phone
  from named`

/**
 * Plans $1 payments, ordered by time. The payments cover 90 days and end an hour ago.
 *
 * - The first tenant gets at least the share $3 (from 0 to 1) of all payments. Tenants created earlier have more
 *   payments than tenants created later.
 * - A payer has five payments on average. Payers with lower numbers have more payments.
 * - A quarter of the payments are in test mode. In both modes, nine out of ten payments are paid.
 * - Pending payments expire weeks after their creation, so that no job polls a provider about them.
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
    select n, case when random() < $3 then 1 else 1 + floor(tenant.count * random() ^ 2)::integer end as place,
           case when random() < 0.75 then 'live' else 'test' end as mode, random() as chance, random() as share,
           1 + floor(payer.count * random() ^ 1.5)::integer as payer,
           now() - interval '1 hour' - interval '90 days' * (1 - n / $1::float8) as created_at
    from generate_series(1, $1::integer) n, tenant, (select count(*)::integer from seed_payers) payer
  ), timed as (
    select drawn.*, case
             when n % 10 <> 0 then 'paid'
             when chance < 0.5 then 'expired' when chance < 0.7 then 'failed' when chance < 0.9 then 'cancelled'
             when created_at > now() - interval '20 days' then 'pending' else 'expired' end as status
    from drawn
  )
  select n, tenant.ids[place] as tenant_id, mode, status, created_at, payer,
         case mode when 'live' then account.live else account.test end as account_id,
         uuidv7(created_at - clock_timestamp()) as id,
         case when status <> 'pending' then created_at + interval '20 minutes' * share + interval '5 seconds' end as ended_at,
         (10 + floor(chance * 990))::bigint * 100000 as amount,
         (array['virtual_account', 'virtual_account', 'virtual_account', 'virtual_account', 'qris', 'qris', 'e_wallet',
           'over_the_counter'])[1 + n % 8] as method_type,
         (array['bca', 'bni', 'bca', 'mandiri', 'qris', 'qris', 'gopay', 'alfamart'])[1 + n % 8] as channel,
         'GP' || to_char(created_at at time zone 'UTC', 'YYMMDD') || '-' || (
           select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (1 + ((scattered >> shift) & 31))::integer, 1), '')
           from generate_series(45, 0, -5) shift,
                -- Multiplying by an odd number gives each payment a different code, and scatters the codes of a day.
                lateral (select n::bigint * 1103515245 & ((1::bigint << 50) - 1) as scattered) s
         ) as code
  from timed, tenant, account`

export const readPlan = 'select count(*)::integer as count, max(n)::integer as last from seed_plan'
