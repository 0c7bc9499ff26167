/** Adds days to a calendar date: `2026-11-22` and 1 give `2026-11-23`. No time zone is involved. */
export function dayBeside(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
