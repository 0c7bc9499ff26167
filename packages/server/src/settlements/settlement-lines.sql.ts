import type { Db } from '../db/db.ts'
import type { AccountDay } from './settlement.sql.ts'
import type { LineStatus } from './settlement-line.ts'

export type StoredLine = {
  line: number
  reference: string
  status: LineStatus
  amount: bigint
  fee: bigint | null
  paidAt: Date | null
  providerPaymentId: string | null
  tenantId: string | null
  paymentId: string | null
}

/** Returns the id of a provider account's settlement for a day, or undefined if none was uploaded. */
export async function findSettlementId(db: Db, { accountId, date }: AccountDay): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'select id from settlements where provider_account_id = ? and date = ?',
    [accountId, date],
  )
  return rows[0]?.id
}

/** Lists the settlement lines that follow line number `afterLine`, in the order of the uploaded file. */
export async function listLinesOfSettlement(
  db: Db,
  settlementId: string,
  afterLine: number,
  limit: number,
): Promise<StoredLine[]> {
  const { rows } = await db.raw<{ rows: StoredLine[] }>(
    `select line, reference, status, amount, fee, paid_at as "paidAt", provider_payment_id as "providerPaymentId",
            tenant_id as "tenantId", payment_id as "paymentId"
     from settlement_lines where settlement_id = :settlementId and line > :afterLine order by line limit :limit`,
    { settlementId, afterLine, limit },
  )
  return rows
}
