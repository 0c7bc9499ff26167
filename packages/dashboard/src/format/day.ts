/** `2026-11-22`: a day that the calendar has. */
export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
