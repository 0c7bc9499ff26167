export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const DAY_MS = 24 * 60 * MINUTE_MS

// What mpm-api-qris gives for a QR code; the other orders at Midtrans are held to it as well.
export const lifeLimits = { shortestMs: 20 * SECOND_MS, longestMs: 180 * DAY_MS }

const WIB_OFFSET_MS = 7 * 60 * 60 * 1000

/** ISO 8601 in Western Indonesia Time, the form of every time in SNAP: `2024-03-19T14:30:00+07:00`. */
export function isoWib(at: number): string {
  return `${new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 19)}+07:00`
}

/** A day in Indonesia, for what must be unique in one. */
export function wibDay(at: number): string {
  return isoWib(at).slice(0, 10)
}

const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Fractions and `Z` are read, too: Midtrans' official client signs with them. */
export function readIso(text: string): number | undefined {
  const at = isoForm.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
