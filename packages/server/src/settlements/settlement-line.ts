// Parses one line of a settlement file. Because providers do not publish their file formats, this service defines its
// own (docs/reconciliation.md describes how to convert a file). If one line is invalid, the whole file is rejected,
// because a skipped line would look like a missing payment.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import { withDashes } from '../payments/payment-code.ts'
import { CENTS_PER_RUPIAH, type Cents } from '../values/money.ts'

export const lineStatuses = ['paid', 'refunded', 'reversed'] as const
export type LineStatus = (typeof lineStatuses)[number]

export type SettlementLine = {
  /** The line's number in the uploaded settlement file. The header is line 1. */
  line: number
  /**
   * The order reference that this service sent to the provider, such as GP261120-7Q4M2ZK8XW. It has dashes, even if the
   * provider's file omits them.
   */
  reference: string
  status: LineStatus
  amount: Cents
  fee: Cents | null
  paidAt: Date | null
  providerPaymentId: string | null
}

const requiredColumns = ['reference', 'amount']
const knownColumns = [...requiredColumns, 'currency', 'status', 'paid_at', 'provider_payment_id', 'fee']

/**
 * Reads a settlement file's header and returns its columns. Column names are case-insensitive, and unknown columns
 * are ignored. Throws BAD_REQUEST if the header is invalid.
 */
export function parseHeader(head: string[]): string[] {
  const columns = head.map(name => name.trim().toLowerCase())
  const missing = requiredColumns.find(name => !columns.includes(name))
  if (missing) throw lineFault(1, missing, 'is missing')
  const twice = knownColumns.find(name => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (twice) throw lineFault(1, twice, 'is there twice')
  return columns
}

/** Parses the fields in one line of a settlement file. Throws BAD_REQUEST if a field is invalid. */
export function parseSettlementLine(fields: Partial<Record<string, string>>, line: number): SettlementLine {
  const field = <T>(column: string, read: (value: string) => T | undefined, must: string): T => {
    const value = read(fields[column]?.trim() ?? '')
    if (value === undefined) throw lineFault(line, column, must)
    return value
  }
  field('currency', oneOf(['', 'IDR']), 'must be IDR')
  const amount = field('amount', cents, AMOUNT)
  if (amount === 0n) throw lineFault(line, 'amount', 'must be above 0')
  return {
    line,
    reference: withDashes(field('reference', text, 'must be 1 to 255 characters') ?? missingReference(line)),
    status: field(
      'status',
      value => oneOf(lineStatuses)(value === '' ? 'paid' : value.toLowerCase()),
      STATUS,
    ),
    amount,
    fee: field('fee', value => (value === '' ? null : cents(value)), AMOUNT),
    paidAt: field('paid_at', moment, 'must be an ISO 8601 time with its zone'),
    providerPaymentId: field('provider_payment_id', text, 'must be at most 255 characters'),
  }
}

const AMOUNT = 'must be rupiah in digits with at most two decimals after a point, such as 100000.00'
const STATUS = `must be one of ${lineStatuses.join(', ')}`

const missingReference = (line: number): never => {
  throw lineFault(line, 'reference', 'must not be empty')
}

/**
 * Returns the error for an invalid field, without the field's value. If the columns of the file are mixed up,
 * the value may be a customer's name.
 */
const lineFault = (line: number, column: string, what: string) =>
  fault('settlement_value_invalid', { line, column, what })

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (value: string): Value | undefined =>
    values.find(each => each === value)

/**
 * Parses a text field. Returns null for an empty value and undefined for an invalid one. Text with control characters
 * is invalid; PostgreSQL, for example, cannot store the control character NUL.
 */
const text = (value: string): string | null | undefined =>
  value.length > 255 || /\p{Cc}/u.test(value) || !value.isWellFormed() ? undefined : value || null

function cents(value: string): Cents | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(value)
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  return BigInt(whole) * CENTS_PER_RUPIAH + BigInt(decimals.padEnd(2, '0'))
}

const isoTime = z.iso.datetime({ offset: true })

function moment(value: string): Date | null | undefined {
  if (value === '') return null
  return isoTime.safeParse(value).success ? new Date(value) : undefined
}
