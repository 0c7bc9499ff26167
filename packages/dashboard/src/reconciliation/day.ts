/** `2026-11-22` and 1 are `2026-11-23`: of the calendar, in no zone. */
export function dayBeside(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
