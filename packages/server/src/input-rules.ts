// Replaces zod's default messages with the rule that the input breaks: `amount: is required`. Messages set in a
// schema take precedence. Importing this file changes the messages of every schema that is loaded with it.

import { z } from 'zod'

const count = (n: number | bigint, one: string): string => `${n} ${one}${n === 1 || n === 1n ? '' : 's'}`

/** Describes the limit of a number, text or list. */
function boundOf(
  origin: string,
  bound: number | bigint,
  {
    most,
    inclusive = true,
    exact = false,
  }: { most: boolean; inclusive?: boolean | undefined; exact?: boolean | undefined },
): string {
  const at = exact ? 'exactly' : most ? 'at most' : 'at least'
  if (origin === 'string')
    return !most && Number(bound) === 1 ? 'must not be empty' : `must be ${at} ${count(bound, 'character')}`
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return `must hold ${at} ${count(bound, 'item')}`
  if (inclusive) return `must be ${at} ${bound}`
  return `must be ${most ? 'less' : 'greater'} than ${bound}`
}

const types: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  cidrv4: 'must be an IPv4 network in CIDR notation',
  cidrv6: 'must be an IPv6 network in CIDR notation',
  date: 'must be a date, YYYY-MM-DD',
  datetime: 'must be an ISO 8601 time with its zone',
  base64: 'must be base64',
}

export const ruleOf: z.core.$ZodErrorMap = issue => {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? `must be of the type ${issue.expected}`
    case 'too_small':
      return boundOf(issue.origin, issue.minimum, {
        most: false,
        inclusive: issue.inclusive,
        exact: issue.exact,
      })
    case 'too_big':
      return boundOf(issue.origin, issue.maximum, {
        most: true,
        inclusive: issue.inclusive,
        exact: issue.exact,
      })
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'has characters or a form that is not allowed'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.join(', ')}`
    case 'invalid_key':
      return 'has a name that is not allowed'
    default:
      return 'is not of a form that is allowed'
  }
}

z.config({ localeError: ruleOf })
