import type { Db, Tx } from '../db/db.ts'

export type StatementRow = { round: bigint; root: Buffer; statement: string }

/**
 * Returns whether the last signed statement is older than `everySeconds`. Only the database's clock is used,
 * because the processes' clocks may differ.
 */
export async function isStatementDue(tx: Tx, everySeconds: number): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { due: boolean }[] }>(
    `select coalesce(max(stated_at) < now() - ? * interval '1 second', true) as due
     from (select stated_at from ledger_statements order by round desc limit 1) last`,
    [everySeconds],
  )
  return rows[0]?.due === true
}

export async function insertStatement(tx: Tx, { round, root, statement }: StatementRow): Promise<void> {
  await tx.raw('insert into ledger_statements (round, root, statement) values (?, ?, ?)', [
    round.toString(),
    root,
    statement,
  ])
}

export async function findLastStatement(db: Db): Promise<StatementRow | undefined> {
  const { rows } = await db.raw<{ rows: StatementRow[] }>(
    'select round, root, statement from ledger_statements order by round desc limit 1',
  )
  return rows[0]
}
