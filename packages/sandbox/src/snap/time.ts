export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const DAY_MS = 24 * 60 * MINUTE_MS

// The limits for the expiry time. Midtrans documents them for QR codes (mpm-api-qris), and the sandbox applies them
// to all orders.
export const lifeLimits = { shortestMs: 20 * SECOND_MS, longestMs: 180 * DAY_MS }

const WIB_OFFSET_MS = 7 * 60 * 60 * 1000

/** Formats a time as in all SNAP messages: ISO 8601 in WIB (UTC+7), such as `2024-03-19T14:30:00+07:00`. */
export function isoWib(at: number): string {
  return `${new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 19)}+07:00`
}

/** Returns the date in Western Indonesia Time, for values that must be unique per day. */
export function wibDay(at: number): string {
  return isoWib(at).slice(0, 10)
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Parses a time. Fractions of a second and `Z` are accepted, because Midtrans' official client sends them. */
export function readIso(text: string): number | undefined {
  const at = isoForm.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
