// Damages a page of a table on disk, as a failing disk does. The page's checksum reveals the damage. The
// server is stopped and started again, so that it has no undamaged copy of the page in memory.

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServers } from '../../packages/server/test/support/postgres-servers.ts'

const TABLES = ['payments', 'ledger_entries', 'payment_references', 'balances']
const PAGE_BYTES = 8_192
/**
 * The bytes to damage start in the middle of the page. PostgreSQL fills a page from its end, so there are rows in the
 * middle even if the page is only half full.
 */
const DAMAGE_AT = PAGE_BYTES / 2
const DAMAGE = Buffer.alloc(64, 0xa5)

/** Damages a page of a database table on disk. `turn` selects the table and the page. */
export async function corruptPage(servers: PostgresServers, turn: number): Promise<void> {
  const table = TABLES[turn % TABLES.length] as string
  const { file, pages } = await describeTable(servers.url('postgres'), table)
  if (pages === 0) throw new Error(`the table ${table} has no page on disk to damage`)
  await servers.shutDown()
  const handle = await open(join(servers.dataDir(), file), 'r+')
  try {
    await handle.write(DAMAGE, 0, DAMAGE.length, (turn % pages) * PAGE_BYTES + DAMAGE_AT)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await servers.start()
}

async function describeTable(url: string, table: string): Promise<{ file: string; pages: number }> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query('checkpoint')
    const { rows } = await admin.query(
      `select pg_relation_filepath($1) as file, (pg_relation_size($1) / ${PAGE_BYTES})::int as pages,
              current_setting('data_checksums') as checksums`,
      [table],
    )
    if (rows[0].checksums !== 'on') throw new Error('the server has no data checksums')
    return rows[0]
  } finally {
    await admin.end()
  }
}
