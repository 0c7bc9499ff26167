/** Adds days to a calendar date: 1 day after `2026-11-22` is `2026-11-23`. No time zone is involved. */
export function dayBeside(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
