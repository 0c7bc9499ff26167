// Formats and parses SNAP's times: ISO 8601 with an offset and without fractional seconds.

import { wibClock } from '../../values/time.ts'

/** Formats a time as `2026-11-20T10:04:05+07:00`. */
export const toWib = (at: Date): string => `${wibClock(at)}+07:00`

/** Formats a time as `2026-11-20T03:04:05Z`. */
export const toUtc = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

/**
 * Parses a time. Returns undefined if the text is invalid. If a time has no offset, it is in WIB (Western Indonesia
 * Time); an example is paidTime in Midtrans' sample (docs.midtrans.com get-transaction-status-api).
 */
export function ofIso(text: string | undefined): Date | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$/.exec(text ?? '')
  if (!match) return undefined
  const at = new Date(`${match[1]}${match[2] ?? '+07:00'}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
