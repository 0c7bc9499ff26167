// Schemas for free text that callers send.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'

/**
 * The schema for text that PostgreSQL and every provider can store: trimmed, without NUL characters or lone
 * surrogates.
 */
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

/** The schema for an email address, or for an empty text if there is no email address. */
export const optionalEmail = () =>
  text()
    .pipe(z.union([z.literal(''), z.email()]))
    .meta(trimmed(`(?:${z.regexes.email.source.slice(1, -1)})?`))

/** A pattern for the OpenAPI document. It matches text that is not empty after trimming. */
export const notBlank = { pattern: '\\S' }

/**
 * Returns the pattern `source`, extended so that whitespace around the text is allowed, because the service trims the
 * text. The OpenAPI document contains the result. `source` is a pattern without ^ and $.
 */
export const trimmed = (source: string) => ({ pattern: `^\\s*(?:${source})\\s*$` })

/**
 * A pattern for the OpenAPI document. It matches an http or https URL, with optional whitespace around it because
 * the service trims it.
 */
export const httpUrl = { pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' }
