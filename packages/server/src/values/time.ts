// Functions for points in time. Western Indonesia Time (WIB) is UTC+7 all year round.

/** Returns the current time. Tests replace this function. */
export type Clock = () => Date

const AHEAD_OF_UTC_MS = 7 * 3_600_000

export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** Returns the time in Jakarta, to the second and without a time zone: `2026-11-20T10:04:05`. */
export const wibClock = (at: Date): string => after(at, AHEAD_OF_UTC_MS).toISOString().slice(0, 19)
