import { isoWib } from '../snap/time.ts'

/** `2023-05-29T02:05:10Z`, the form of Request-Timestamp and of the `_utc` fields. */
export function isoUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** `20230529090510`, in Western Indonesia Time and without saying so. */
export function compactWib(at: number): string {
  return isoWib(at).slice(0, 19).replace(/\D/g, '')
}
