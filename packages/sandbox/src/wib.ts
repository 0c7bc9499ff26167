// Indonesian providers write times without a zone and mean Western Indonesia Time, UTC+7 all year.
const WIB_OFFSET_MS = 7 * 60 * 60 * 1000

/** `YYYY-MM-DD HH:MM:SS` in WIB. */
export function wibTime(at: number): string {
  return new Date(at + WIB_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}
