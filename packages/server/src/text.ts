// Free text from callers.

import { z } from 'zod'
import { rule } from './faults/rule.ts'

/** Text that PostgreSQL and every provider can store: trimmed, without NUL, without lone surrogates. */
export const text = (maxLength = 255) =>
  z
    .string()
    .trim()
    .refine(
      value => value.length <= maxLength || [...value].length <= maxLength,
      rule('characters_too_many', { max: maxLength }),
    )
    .refine(value => !value.includes('\0') && value.isWellFormed(), rule('text_malformed'))
    .meta({ maxLength })

/** For the OpenAPI document: the text must not be empty after trimming. */
export const notBlank = { pattern: '\\S' }

/** For the OpenAPI document: the service trims the text before it compares it. source: a pattern without ^ and $. */
export const trimmed = (source: string) => ({ pattern: `^\\s*(?:${source})\\s*$` })

/** For the OpenAPI document: an http or https URL, which the service trims. */
export const httpUrl = { pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' }
