// What a caller writes in its own words.

import { z } from 'zod'

/** Text as PostgreSQL and every provider can hold it: trimmed, no NUL, no half of a surrogate pair. */
export const text = (maxLength = 255) =>
  z
    .string()
    .trim()
    .refine(
      value => value.length <= maxLength || [...value].length <= maxLength,
      `must be at most ${maxLength} characters`,
    )
    .refine(value => !value.includes('\0') && value.isWellFormed(), 'must be well-formed text without NUL')
    .meta({ maxLength })

/** For the API document: the text must not be empty after trimming. */
export const notBlank = { pattern: '\\S' }
