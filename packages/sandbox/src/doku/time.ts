import { isoWib } from '../snap/time.ts'

/** Formats a time as `2023-05-29T02:05:10Z`, the format of Request-Timestamp and of the `_utc` fields. */
export function isoUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Formats a time as `20230529090510`: WIB (UTC+7) without a time zone. */
export function compactWib(at: number): string {
  return isoWib(at).slice(0, 19).replace(/\D/g, '')
}
