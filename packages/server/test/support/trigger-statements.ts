// SQL statements that insert several rows at once. Tests use them to run the triggers on the ledger and on webhook
// events.

import { newId } from '../../src/values/id.ts'

const valuesOf = (rows: readonly (readonly unknown[])[]): string => rows.map(row => `(${row.join()})`).join()
const textOf = (value: string): string => `'${value}'`

/** Inserts ledger entries. A positive amount is a credit. */
export const entriesSql = (
  rows: [tenantId: string, version: number, amount: number, balanceAfter: number][],
) =>
  `insert into ledger_entries (
     tenant_id, id, mode, version, entry_type, amount, balance_after, reference_id, reason, created_at, counter_account)
   values ${valuesOf(
     rows.map(([tenantId, version, amount, balanceAfter]) => [
       ...[textOf(tenantId), textOf(newId()), "'live'", version, amount > 0 ? "'credit'" : "'debit'"],
       ...[
         Math.abs(amount),
         balanceAfter,
         "'r'",
         "'by hand'",
         'now()',
         "'00000000-0000-0000-0000-000000000003'",
       ],
     ]),
   )}`

/**
 * Returns an SQL statement that inserts a transfer for each of the rows, from the operator's fee account to the
 * adjustments account.
 */
export const transfersSql = (rows: [tenantId: string, amount: number][]) =>
  `insert into book_transfers (tenant_id, id, mode, from_account, to_account, amount, reference_id, reason, created_at)
   values ${valuesOf(
     rows.map(([tenantId, amount]) => [
       ...[textOf(tenantId), textOf(newId()), "'live'", "'00000000-0000-0000-0000-000000000003'"],
       ...["'00000000-0000-0000-0000-000000000004'", amount, "'r'", "'by hand'", 'now()'],
     ]),
   )}`

/** Inserts ledger seals. Hashes are hexadecimal text. An empty previous hash means the first seal. */
export const sealsSql = (
  rows: [tenantId: string, from: number, to: number, previousHash: string, hash: string][],
) =>
  `insert into ledger_seals (tenant_id, mode, from_version, to_version, previous_hash, hash, round)
   values ${valuesOf(
     rows.map(([tenantId, from, to, previousHash, hash]) => [
       ...[textOf(tenantId), "'live'", from, to],
       ...[`decode('${previousHash || '00'.repeat(32)}', 'hex')`, `decode('${hash}', 'hex')`, 1],
     ]),
   )}`

/** Inserts a test event for a tenant. */
export const eventSql = (tenantId: string) =>
  `insert into webhook_events (tenant_id, id, number, mode, type, body, created_at)
   values ('${tenantId}', '${newId()}', 1, 'live', 'webhook.test', '{}', '2026-11-26T10:00:00Z')`

/**
 * Returns an SQL statement that inserts an additional webhook endpoint for a tenant, by default for all events in
 * live mode.
 */
export const endpointSql = (
  tenantId: string,
  slot: number,
  { mode = 'live', types = '{}', enabled = true } = {},
) =>
  `insert into additional_endpoints (
     tenant_id, id, mode, slot, url, description, event_types, schedule, enabled, secret_sealed, created_at)
   values ('${tenantId}', '${newId()}', '${mode}', ${slot}, 'https://example.com/${slot}', '', '${types}', 'short',
     ${enabled}, 's', now())`
