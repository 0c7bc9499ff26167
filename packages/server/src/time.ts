// Points in time. Western Indonesia Time is UTC+7 all the year.

const AHEAD_OF_UTC_MS = 7 * 3_600_000

/** Before it, where the milliseconds are negative. */
export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** What a clock in Jakarta shows, to the second and without its zone: `2026-11-20T10:04:05`. */
export const wibClock = (at: Date): string => after(at, AHEAD_OF_UTC_MS).toISOString().slice(0, 19)
