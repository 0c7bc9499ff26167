import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'

/** Selects the margins of one Partner in one mode (live or test). */
export type PartnerMode = { partnerId: string; mode: Mode }

/** What a Client's payments have earned for its Partner, in cents. It is negative if returned fees exceed the margin. */
export type ClientMargin = { tenantId: string; margin: Cents }

const marginAccount = accountIdOf('fee:partner')

/**
 * Lists the Partners whose margins are in their Clients' books (ledgers) but have not been credited to the
 * Partners yet. The two tables are read separately, because a distributed database can store them on different
 * nodes.
 */
export async function listPartnersWithMargins(db: Db): Promise<PartnerMode[]> {
  const { rows: books } = await db.raw<{ rows: { tenantId: string; mode: Mode }[] }>(
    `select a.tenant_id as "tenantId", a.mode from book_accounts a
     where a.account_id = '${marginAccount}' and a.balance <> 0`,
  )
  if (books.length === 0) return []
  const { rows } = await db.raw<{ rows: PartnerMode[] }>(
    `select t.parent_id as "partnerId", b.mode
     from unnest(:tenantIds::uuid[], :modes::text[]) b (tenant_id, mode) join tenants t on t.id = b.tenant_id
     where t.parent_id is not null
     group by t.parent_id, b.mode order by t.parent_id, b.mode`,
    { tenantIds: books.map(({ tenantId }) => tenantId), modes: books.map(({ mode }) => mode) },
  )
  return rows
}

/**
 * Returns SQL that selects the Partner's Clients with a negative (`<`) or positive (`>`) margin, ordered by
 * ID, up to a limit.
 */
const clientsWithMargin = (columns: string, sign: '<' | '>') =>
  `(select ${columns} from tenants t join book_accounts a on a.tenant_id = t.id
    where t.parent_id = :partnerId and a.mode = :mode and a.account_id = '${marginAccount}' and a.balance ${sign} 0
    order by t.id limit :limit)`

/**
 * Locks the balances of a Partner and of its Clients with a margin: up to `limit` Clients with a negative margin, and
 * up to `limit` Clients with a positive margin. Returns these margins. Balances are locked in key order, which prevents
 * deadlocks.
 */
export async function lockMargins(
  tx: Tx,
  { partnerId, mode }: PartnerMode,
  limit: number,
): Promise<ClientMargin[]> {
  if (isDistributed(tx)) return lockMarginsOnShards(tx, { partnerId, mode }, limit)
  await tx.raw(
    `select from balances b
     where b.mode = :mode and b.tenant_id in (
       select :partnerId::uuid
       union all ${clientsWithMargin('t.id', '<')}
       union all ${clientsWithMargin('t.id', '>')})
     order by b.tenant_id, b.mode for update`,
    { partnerId, mode, limit },
  )
  // The margins are read by a separate statement. The statement that locks the rows would not see rows committed while
  // it waited for its locks.
  const columns = 't.id as "tenantId", a.balance as margin'
  const { rows } = await tx.raw<{ rows: ClientMargin[] }>(
    `${clientsWithMargin(columns, '<')} union all ${clientsWithMargin(columns, '>')}`,
    { partnerId, mode, limit },
  )
  return rows
}

/**
 * Does the same as `lockMargins` on a distributed database, with one statement for each tenant. A single statement
 * would not work, because Citus locks rows in only one shard at a time and the tenants table is not sharded.
 */
async function lockMarginsOnShards(
  tx: Tx,
  { partnerId, mode }: PartnerMode,
  limit: number,
): Promise<ClientMargin[]> {
  const { rows: clients } = await tx.raw<{ rows: { id: string }[] }>(
    'select id from tenants where parent_id = :partnerId order by id',
    { partnerId },
  )
  // The set removes duplicates. Both queries find a Client if its margin changes from negative to positive
  // between them.
  const books = new Set<string>()
  for (const sign of ['<', '>'] as const) {
    const { rows } = await tx.raw<{ rows: { id: string }[] }>(
      `select tenant_id as id from book_accounts
       where tenant_id = any(:ids::uuid[]) and mode = :mode and account_id = '${marginAccount}' and balance ${sign} 0
       order by tenant_id limit :limit`,
      { ids: clients.map(({ id }) => id), mode, limit },
    )
    for (const { id } of rows) books.add(id)
  }
  const margins: ClientMargin[] = []
  for (const tenantId of [partnerId, ...books].sort()) {
    await tx.raw('select from balances where tenant_id = ? and mode = ? for update', [tenantId, mode])
    if (tenantId === partnerId) continue
    const { rows } = await tx.raw<{ rows: { margin: Cents }[] }>(
      `select balance as margin from book_accounts
       where tenant_id = ? and mode = ? and account_id = '${marginAccount}' and balance <> 0`,
      [tenantId, mode],
    )
    for (const { margin } of rows) margins.push({ tenantId, margin })
  }
  return margins
}
