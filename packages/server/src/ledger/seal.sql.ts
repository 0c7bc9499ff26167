import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Mode } from '../values/mode.ts'
import { NO_PAYMENT } from './entry-bytes.ts'
import type { Head } from './seal.ts'
import type { PostedRange } from './verify-new-entries.sql.ts'

/**
 * Acquires a lock until the transaction ends, so that only one transaction at a time seals (hashes) new
 * ledger entries. Returns false if another transaction has this lock.
 */
export async function lockSealing(tx: Tx): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { mine: boolean }[] }>(
    `select pg_try_advisory_xact_lock(hashtext('gapura_ledger_rounds')) as mine`,
  )
  return rows[0]?.mine === true
}

export async function nextSealingRound(tx: Tx): Promise<bigint> {
  const { rows } = await tx.raw<{ rows: [{ round: bigint }] }>(`select nextval('ledger_rounds') as round`)
  return rows[0].round
}

const text = (column: string) =>
  `int4send(octet_length(convert_to(${column}, 'UTF8'))) || convert_to(${column}, 'UTF8')`

// The SQL expression that encodes a ledger entry as bytes in encoding 1, which ledger/entry-bytes.ts defines.
const bytesOfEntry = [
  'uuid_send(e.tenant_id)',
  text('e.mode'),
  'int8send(e.version)',
  'uuid_send(e.id)',
  `uuid_send(coalesce(e.payment_id, '${NO_PAYMENT}'))`,
  text('e.entry_type'),
  'int8send(e.amount)',
  'int8send(e.balance_after)',
  text('e.reference_id'),
  text('e.reason'),
  'int8send((extract(epoch from e.created_at) * 1000000)::bigint)',
  `coalesce('\\x01'::bytea || uuid_send(e.unexpected_money_id), '\\x00'::bytea)`,
].join(' || ')

// The balances are read in the order of their primary key, beginning after the last balance of the previous round.
// PostgreSQL can therefore stop reading at the limit, and does not need to sort all balances.
const insertRound = preparedStatement<{
  unsealed: bigint
  due: bigint
  last: BalanceKey | null
  sealed: Record<keyof PostedRange, string>[]
}>(
  `with unsealed as materialized (
     select b.tenant_id, b.mode, coalesce(last.to_version, 0) as after_version,
            least(b.version, coalesce(last.to_version, 0) + :entriesPerSeal::bigint) as to_version,
            coalesce(last.hash, decode(repeat('00', 32), 'hex')) as previous_hash
     from balances b
     left join lateral (
       select s.to_version, s.hash from ledger_seals s
       where s.tenant_id = b.tenant_id and s.mode = b.mode order by s.to_version desc limit 1
     ) last on true
     where b.version > coalesce(last.to_version, 0)
       and (b.tenant_id, b.mode) > (:afterTenantId::uuid, :afterMode::text)
     order by b.tenant_id, b.mode
     limit :balances::bigint
   ), counted as (
     select *, sum(to_version - after_version) over (order by tenant_id, mode rows unbounded preceding) as entries
     from unsealed
   ), due as materialized (
     select * from counted where entries - (to_version - after_version) < :entries::bigint
   ), sealed as (
     insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
     select due.tenant_id, due.mode, due.after_version + 1, due.to_version, due.previous_hash,
            sha256(due.previous_hash || batch.bytes), :round
     from due
     cross join lateral (
       select string_agg(${bytesOfEntry}, ''::bytea order by e.version) as bytes, count(*) as entries
       from ledger_entries e
       where e.tenant_id = due.tenant_id and e.mode = due.mode
         and e.version > due.after_version and e.version <= due.to_version
     ) batch
     where batch.entries = due.to_version - due.after_version
     returning tenant_id, mode, from_version, to_version
   )
   select (select count(*) from unsealed) as unsealed, (select count(*) from due) as due,
          (select jsonb_build_object('tenantId', tenant_id, 'mode', mode) from due
           order by tenant_id desc, mode desc limit 1) as last,
          (select coalesce(jsonb_agg(jsonb_build_object('tenantId', tenant_id, 'mode', mode,
                    'fromVersion', from_version::text, 'toVersion', to_version::text)), '[]') from sealed) as sealed`,
)

const listDueOfTenant = preparedStatement<{
  mode: Mode
  afterVersion: bigint
  toVersion: bigint
  previousHash: Buffer
}>(
  `select b.mode, coalesce(last.to_version, 0) as "afterVersion",
          least(b.version, coalesce(last.to_version, 0) + :entriesPerSeal::bigint) as "toVersion",
          coalesce(last.hash, decode(repeat('00', 32), 'hex')) as "previousHash"
   from balances b
   left join lateral (
     select s.to_version, s.hash from ledger_seals s
     where s.tenant_id = :tenantId and s.mode = b.mode order by s.to_version desc limit 1
   ) last on true
   where b.version > coalesce(last.to_version, 0) and b.tenant_id = :tenantId`,
)

// The insert joins the table `balances` with a condition on the tenant. Citus therefore knows the tenant's
// shard and runs the insert there (db/distributed-database.ts).
const insertSealsOfTenant = preparedStatement<{
  tenantId: string
  mode: Mode
  fromVersion: bigint
  toVersion: bigint
}>(
  `insert into ledger_seals as i (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
   select b.tenant_id, due.mode, due.after_version + 1, due.to_version, due.previous_hash,
          sha256(due.previous_hash || batch.bytes), :round
   from unnest(:modes::text[], :afterVersions::bigint[], :toVersions::bigint[], :previousHashes::bytea[])
     as due (mode, after_version, to_version, previous_hash)
   join balances b on b.tenant_id = :tenantId and b.mode = due.mode
   cross join lateral (
     select string_agg(${bytesOfEntry}, ''::bytea order by e.version) as bytes, count(*) as entries
     from ledger_entries e
     where e.tenant_id = :tenantId and e.mode = due.mode
       and e.version > due.after_version and e.version <= due.to_version
   ) batch
   where batch.entries = due.to_version - due.after_version
   returning i.tenant_id as "tenantId", i.mode, i.from_version as "fromVersion", i.to_version as "toVersion"`,
)

const listUnsealed = preparedStatement<{ tenantId: string }>(
  `select distinct b.tenant_id as "tenantId" from balances b
   where b.tenant_id > :afterTenantId and b.version > coalesce(
     (select max(s.to_version) from ledger_seals s where s.tenant_id = b.tenant_id and s.mode = b.mode), 0)
   order by b.tenant_id limit :balances::bigint`,
)

export type BalanceKey = Pick<Head, 'tenantId' | 'mode'>

/**
 * The result of one round of sealing (hashing) ledger entries.
 *
 * - due: the number of balances whose turn it was, including balances that could not be sealed.
 * - last: the last of these balances, after which the next round continues. Undefined if the round reached the last
 *   balance, so that the next round starts again at the first.
 * - isPartial: whether a balance may have more new entries than one seal covers.
 */
export type SealedRound = {
  due: number
  sealed: PostedRange[]
  last: BalanceKey | undefined
  isPartial: boolean
}

export type SealLimits = {
  balances: number
  entriesPerSeal: number
  /**
   * The approximate maximum number of entries that one round seals (hashes). Once the round has sealed this
   * many entries, it starts no further seal.
   */
  entries: number
}

const FIRST = { tenantId: '00000000-0000-0000-0000-000000000000', mode: '' }

/**
 * Seals (hashes) the balances' new entries in one round, up to the given limits. The round begins after the balance
 * `after` or, if `after` is undefined, at the first balance. On a distributed database, each tenant is sealed
 * separately.
 *
 * Reads only committed entries, without locks. Posting locks the balance's row, so a balance's entries become visible
 * in the order of their versions. If a version is missing among the new entries, the balance counts as `due`, but its
 * entries are not sealed.
 *
 * The balances take turns. Otherwise, balances that always have new entries could use up the limits of each round, and
 * the others would never be sealed. A balance with a missing entry does not block the others, either.
 */
export async function sealRound(
  tx: Tx,
  limits: SealLimits,
  after: BalanceKey | undefined,
): Promise<SealedRound> {
  const round = await nextSealingRound(tx)
  const { tenantId: afterTenantId, mode: afterMode } = after ?? FIRST
  if (!isDistributed(tx)) return sealTogether(tx, { ...limits, round, afterTenantId, afterMode })
  const tenants = await listUnsealed(tx, { balances: limits.balances, afterTenantId })
  const rounds: Omit<SealedRound, 'last'>[] = []
  let entries = 0n
  for (const { tenantId } of tenants) {
    if (entries >= limits.entries) break
    const sealed = await sealTenant(tx, tenantId, { ...limits, round })
    for (const { fromVersion, toVersion } of sealed.sealed) entries += toVersion - fromVersion + 1n
    rounds.push(sealed)
  }
  const lastTenant = tenants[rounds.length - 1]
  const isEnd = tenants.length < limits.balances && rounds.length === tenants.length
  return {
    due: rounds.reduce((sum, each) => sum + each.due, 0),
    sealed: rounds.flatMap(({ sealed }) => sealed),
    // A tenant's balances in both modes are sealed together. The next round therefore starts after the
    // tenant's last mode, `test`.
    last: isEnd || !lastTenant ? undefined : { tenantId: lastTenant.tenantId, mode: 'test' },
    isPartial: rounds.some(({ isPartial }) => isPartial),
  }
}

type RoundValues = SealLimits & { round: bigint }

async function sealTogether(
  tx: Tx,
  values: RoundValues & { afterTenantId: string; afterMode: string },
): Promise<SealedRound> {
  const [round] = await insertRound(tx, values)
  if (!round) throw new Error('the statement that seals entries returned no row')
  const sealed = round.sealed.map(({ tenantId, mode, fromVersion, toVersion }) => ({
    tenantId,
    mode: mode as Mode,
    fromVersion: BigInt(fromVersion),
    toVersion: BigInt(toVersion),
  }))
  const isEnd = round.unsealed < values.balances && round.due === round.unsealed
  return {
    due: Number(round.due),
    sealed,
    last: isEnd ? undefined : (round.last ?? undefined),
    isPartial: isPartlySealed(sealed, values.entriesPerSeal),
  }
}

const isPartlySealed = (sealed: PostedRange[], entriesPerSeal: number): boolean =>
  sealed.some(({ fromVersion, toVersion }) => toVersion - fromVersion + 1n === BigInt(entriesPerSeal))

/**
 * Seals (hashes) the entries of one tenant's balances on a distributed database, with two statements that run on the
 * tenant's shard. The single statement `insertRound` is not used here, because Citus would copy the results of its
 * parts to the worker.
 */
async function sealTenant(
  tx: Tx,
  tenantId: string,
  { entriesPerSeal, round }: RoundValues,
): Promise<Omit<SealedRound, 'last'>> {
  const due = await listDueOfTenant(tx, { tenantId, entriesPerSeal })
  const sealed = await insertSealsOfTenant(tx, {
    tenantId,
    round,
    modes: due.map(({ mode }) => mode),
    afterVersions: due.map(({ afterVersion }) => afterVersion),
    toVersions: due.map(({ toVersion }) => toVersion),
    previousHashes: due.map(({ previousHash }) => previousHash),
  })
  return { due: due.length, sealed, isPartial: isPartlySealed(sealed, entriesPerSeal) }
}

/**
 * Lists each balance's head, sorted by tenant and mode. The head is the balance's last seal (a hash of ledger
 * entries) when the sealing round started.
 */
export async function listHeads(
  db: Db,
  round: bigint,
  after: Head | undefined,
  limit: number,
): Promise<Head[]> {
  const { rows } = await db.raw<{ rows: Head[] }>(
    `select b.tenant_id as "tenantId", b.mode, head.to_version as version, head.hash
     from balances b
     cross join lateral (
       select s.to_version, s.hash from ledger_seals s
       where s.tenant_id = b.tenant_id and s.mode = b.mode and s.round < :round
       order by s.to_version desc limit 1
     ) head
     where :isFirst or (b.tenant_id, b.mode) > (:tenantId::uuid, :mode::text)
     order by b.tenant_id, b.mode limit :limit`,
    {
      round,
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      mode: after?.mode ?? null,
      limit,
    },
  )
  return rows
}
