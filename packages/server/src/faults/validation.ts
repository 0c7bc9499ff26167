// The validation rules for input fields. Browser forms use the same schemas as the API, so they check the
// same rules (input-rules.ts).

import { withCode } from './with-code.ts'

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

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
  email: 'must be an email address',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  ip: 'must be an IPv4 or IPv6 address',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  cidrv4: 'must be an IPv4 network in CIDR notation',
  cidrv6: 'must be an IPv6 network in CIDR notation',
  date: 'must be a date, YYYY-MM-DD',
  datetime: 'must be an ISO 8601 time with its zone',
  month: 'must be a month, YYYY-MM',
  http_status: 'must be an HTTP status such as 404, or a class of statuses such as 4xx',
  base64: 'must be base64',
}

type Values = { values: string[] }
type Range = { min: number; max: number }

/** Maps the ID of each check that is built into zod to its error text. */
const general = {
  required: () => 'is required',
  type_wrong: ({ type }: { type: string }) => types[type] ?? `must be of the type ${type}`,
  format_wrong: ({ format }: { format: string }) => formats[format] ?? 'has an invalid format',
  empty: () => 'must not be empty',
  characters_too_few: ({ min }: { min: number }) => `must be at least ${count(min, 'character')}`,
  characters_too_many: ({ max }: { max: number }) => `must be at most ${count(max, 'character')}`,
  characters_not_exact: ({ exact }: { exact: number }) => `must be exactly ${count(exact, 'character')}`,
  items_too_few: ({ min }: { min: number }) => `must have at least ${count(min, 'item')}`,
  items_too_many: ({ max }: { max: number }) => `must have at most ${count(max, 'item')}`,
  items_not_exact: ({ exact }: { exact: number }) => `must have exactly ${count(exact, 'item')}`,
  number_too_small: ({ min }: { min: number }) => `must be at least ${min}`,
  number_too_large: ({ max }: { max: number }) => `must be at most ${max}`,
  number_not_above: ({ min }: { min: number }) => `must be greater than ${min}`,
  number_not_below: ({ max }: { max: number }) => `must be less than ${max}`,
  not_multiple: ({ of }: { of: number }) => `must be a multiple of ${of}`,
  value_wrong: ({ value }: { value: string }) => `must be ${value}`,
  value_not_listed: ({ values }: Values) => `must be one of ${values.join(', ')}`,
  name_not_allowed: () => 'has a name that is not allowed',
  form_not_allowed: () => 'has a format that is not allowed',
}

/** The error texts for the validation rules that this project adds to zod's rules. */
const own = {
  text_malformed: () => 'must be well-formed text without NUL',
  moment_malformed: () => 'must be a date, YYYY-MM-DD, or an ISO 8601 time with its zone',
  amount_not_positive: () => 'must be greater than zero',
  currency_unsupported: () => 'only IDR is supported',
  channel_needed: ({ what }: { what: string }) =>
    `a ${what} is required; GET /v1/active-methods lists the possible values`,
  method_mismatched: () => 'must equal method_type',
  whole_number_out_of_range: ({ min, max }: Range) =>
    `must be a whole number from ${min} to ${max}, written with digits only`,
  limit_out_of_range: ({ min, max }: Range) =>
    `must be an integer from ${min} to ${max}, or null for the default`,
  max_below_min: ({ min }: { min: string }) => `must not be below ${min}`,
  one_payer_needed: () => 'pass exactly one of payment_id, customer_email and customer_phone',
  phone_number_expected: ({ min }: { min: number }) =>
    `must be a phone number with at least ${min} digits, such as 081234567890`,
  reason_needed: ({ keptWith }: { keptWith: string }) =>
    `is required, because the reason is stored with the ${keptWith}`,
  payment_id_malformed: () => 'must be the UUID of a payment, or its payment code',
  network_malformed: ({ example }: { example: string }) =>
    `must be an IPv4 or IPv6 address, or a network in CIDR notation such as ${example}`,
  url_not_plain: () => 'must be an http or https URL without a user name, query or fragment',
  url_with_credentials: () => 'must not contain a user name or password',
  return_url_malformed: () => 'must be a URL of visible ASCII characters',
  return_url_insecure: () =>
    'must be an https URL; http is accepted for loopback addresses in test mode only',
  groups_unknown: ({ values }: Values) => `must be a comma-separated list of ${values.join(', ')}`,
  cursor_stale: () => 'refers to an item that no longer exists; restart without a cursor',
  digits_expected: ({ min, max }: Range) =>
    `must be ${min === max ? min : `${min} to ${max}`} ${max === 1 ? 'digit' : 'digits'}`,
  letters_and_digits_expected: () => 'must be letters and digits',
  terminal_id_malformed: ({ min, max }: Range) => `must be ${min} to ${max} letters and digits`,
  rsa_key_expected: ({ form }: { form: string }) => `must be an RSA key, ${form}`,
  fields_needed_together: ({ fields }: { fields: string[] }) =>
    `is required, because ${fields.join(', ')} must be passed together`,
  color_malformed: () => 'must be a color in the form #rrggbb, such as #0f766e',
  logo_too_heavy: ({ max }: { max: number }) => `must be a file of at most ${max} kB`,
  input_invalid: ({ what }: { what: string }) => what,
}

export const validationFaults = withCode('BAD_REQUEST', { ...general, ...own })
