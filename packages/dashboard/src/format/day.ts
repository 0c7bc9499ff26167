/** Returns whether the text is a valid calendar date such as `2026-11-22`. */
export const isDay = (text: string | undefined): text is string => {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  // JavaScript turns a date that does not exist, such as 31 February, into a later date. The text is therefore valid
  // only if the parsed date is still the same date.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
