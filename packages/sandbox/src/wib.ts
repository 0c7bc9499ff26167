// Indonesian providers send times without a time zone. The times are in Western Indonesia Time (WIB), which is
// UTC+7 all year.
const WIB_OFFSET_MS = 7 * 60 * 60 * 1000

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in WIB (UTC+7). */
export function wibTime(at: number): string {
  return new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}
