// Types and SQL snippets for the attacks: SQL statements that would break an invariant in docs/invariants.md.

/**
 * The ids of the rows that the attacks (SQL statements that would break an invariant) change. Every id is a
 * UUID.
 */
export type Target = {
  tenantId: string
  /**
   * A payment with three receipts (amounts received from the payer). Receipt `a` made the payment paid. Receipt
   * `b` awaits a decision by the Owner (the operator). Receipt `c` was accepted by the Owner and then credited.
   */
  paidId: string
  pendingId: string
  reversedId: string
  /** A paid payment with a fee. */
  chargedId: string
  /** Two records of unexpected money: an open record, and a record on which the Owner has decided. */
  openMoneyId: string
  decidedMoneyId: string
  /** A pending refund of the paid payment, and a failed refund. */
  refundId: string
  failedRefundId: string
  /** A record of unexpected money, and the Owner's pending refund of this money. */
  refundedMoneyId: string
  operatorRefundId: string
  /**
   * An open record of a chargeback of the paid payment. Its amount is larger than the amount received for the
   * payment.
   */
  chargebackMoneyId: string
}

export type Attack = {
  /** The number of the attacked invariant in docs/invariants.md, such as M1. */
  invariant: string
  /**
   * The constraints, unique indexes, or triggers that reject the attack, as `table.name`. Each of them alone is enough
   * to reject it.
   */
  guards: string[]
  title: string
  sql: string
}

export const entryOf = (changes: Record<string, string>) => {
  const columns: Record<string, string> = {
    tenant_id: ':tenantId',
    id: 'gen_random_uuid()',
    mode: "'live'",
    version: 'b.version + 1',
    payment_id: ':pendingId',
    entry_type: "'credit'",
    amount: '100',
    balance_after: 'b.balance + 100',
    reference_id: "'r'",
    reason: "'by hand'",
    created_at: 'now()',
    unexpected_money_id: 'null',
    counter_account: 'gen_random_uuid()',
    refund_id: 'null',
    ...changes,
  }
  return `insert into ledger_entries (${Object.keys(columns).join()})
    select ${Object.values(columns).join()} from balances b where b.tenant_id = :tenantId and b.mode = 'live'`
}

/** Inserts a copy of a row with changed columns. The values of `changes` are SQL expressions. */
export const copyOf = (table: string, where: string, changes: Record<string, string>) =>
  `insert into ${table} select (jsonb_populate_record(original, jsonb_build_object(${Object.entries(changes)
    .map(([column, value]) => `'${column}', ${value}`)
    .join()}))).* from ${table} original where ${where}`

export const transferOf = (changes: Record<string, string>) => {
  const columns: Record<string, string> = {
    tenant_id: ':tenantId',
    id: 'gen_random_uuid()',
    mode: "'live'",
    from_account: "'00000000-0000-0000-0000-000000000003'",
    to_account: "'00000000-0000-0000-0000-000000000004'",
    amount: '1',
    reference_id: "'r'",
    reason: "'by hand'",
    created_at: 'now()',
    ...changes,
  }
  return `insert into book_transfers (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`
}

export const feeAccount = "account_id = '00000000-0000-0000-0000-000000000003'"

export const newPayment = (changes: Record<string, string>) =>
  copyOf('payments', 'id = :pendingId', {
    id: 'gen_random_uuid()',
    payment_code: "'GP261123-0000000000'",
    idempotency_key: "'another'",
    ...changes,
  })

export const newRefund = (changes: Record<string, string>) =>
  copyOf('refunds', 'id = :refundId', {
    id: 'gen_random_uuid()',
    number: '9',
    idempotency_key: "'another'",
    ...changes,
  })

export const refundEntry = (changes: Record<string, string>) =>
  entryOf({
    payment_id: ':paidId',
    refund_id: ':refundId',
    amount: '30',
    counter_account: "'00000000-0000-0000-0000-000000000005'",
    ...changes,
  })

export const payment = (id: string, set: string) =>
  `update payments set ${set} where tenant_id = :tenantId and id = ${id}`
export const money = (id: string, set: string) => `update unexpected_money set ${set} where id = ${id}`
