import type { IncomingHttpHeaders } from 'node:http'

// Checks that providers' official client libraries make before sending a request. The sandbox makes the same
// checks, so it rejects every request that a library would refuse to send.

export type Rule = {
  // The value to check: the name of a header, or the path of a field in the body, such as
  // `totalAmount.value`. The path `urlParam[].url` means the field `url` of each item in the list `urlParam`.
  field: string
  in?: 'header'
  required?: true
  type?: 'text' | 'number' | 'whole number' | 'whole number or digits' | 'boolean' | 'list' | 'object'
  // The allowed length of a text (in characters) or a list (in items).
  length?: readonly [min: number, max: number]
  pattern?: RegExp
  oneOf?: readonly string[]
  // The libraries and files in which the sandbox found this rule. If they check the field differently, the rule is the
  // strictest of their checks.
  source: string
}

export type Fault = { field: string; reason: 'missing' | 'invalid' }

type Request = { headers: IncomingHttpHeaders; body: unknown }

/**
 * Finds the first rule that the request violates. Returns the rule's field, and whether the field is missing
 * or invalid. An optional field may be absent or null.
 */
export function faultOf(rules: readonly Rule[], request: Request): Fault | undefined {
  for (const rule of rules) {
    for (const { value, field } of valuesOf(rule, request)) {
      const isMissing = value === undefined || value === null || value === ''
      if (isMissing && rule.required) return { field, reason: 'missing' }
      if (!isMissing && !holds(rule, value)) return { field, reason: 'invalid' }
    }
  }
  return undefined
}

/**
 * Returns all values in the request to which the rule applies. For a rule about list items, these are the
 * values of all items. If an optional parent object is absent, the result is empty.
 */
function valuesOf(rule: Rule, { headers, body }: Request): { field: string; value: unknown }[] {
  if (rule.in === 'header') return [{ field: rule.field, value: headers[rule.field.toLowerCase()] }]
  let found: { field: string; value: unknown }[] = [{ field: '', value: body }]
  for (const step of rule.field.split('.')) {
    const [name = '', isList] = step.endsWith('[]') ? [step.slice(0, -2), true] : [step, false]
    found = found.flatMap(({ field, value }) => {
      const path = field === '' ? name : `${field}.${name}`
      const inner = (value as Record<string, unknown> | null | undefined)?.[name]
      if (!isList) return [{ field: path, value: inner }]
      return Array.isArray(inner)
        ? inner.map((item, index) => ({ field: `${path}.${index}`, value: item }))
        : []
    })
  }
  return found
}

function holds({ type = 'text', length, pattern, oneOf }: Rule, value: unknown): boolean {
  if (!isOfType(type, value)) return false
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : undefined
  if (length && (size === undefined || size < length[0] || size > length[1])) return false
  if (pattern && !pattern.test(String(value))) return false
  return !oneOf || oneOf.includes(String(value))
}

function isOfType(type: NonNullable<Rule['type']>, value: unknown): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'whole number':
      return Number.isSafeInteger(value)
    // In a form, numbers are always sent as text, so a text of digits is accepted too.
    case 'whole number or digits':
      return Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,12}$/.test(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}
