import type Router from '@koa/router'
import { listPublicKeys } from '../../auth/tokens/signing-key.sql.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { findLastStatement } from '../../ledger/ledger-statement.sql.ts'

/**
 * Adds the public route /.well-known/ledger-statement.json. It returns the latest ledger statement (a signed hash
 * of the whole ledger) and the keys that verify all statements.
 */
export function mountLedgerStatement(router: Router, db: Db): void {
  router.get('/.well-known/ledger-statement.json', async ctx => {
    const last = await findLastStatement(db)
    if (!last) throw fault('ledger_statement_not_found')
    ctx.body = { statement: last.statement, keys: await listPublicKeys(db) }
  })
}
