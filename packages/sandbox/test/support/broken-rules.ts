import { faultOf, type Rule } from '../../src/rules.ts'
import type { Json } from './merchant.ts'

export type Broken = { value: unknown; reason: 'missing' | 'invalid' }

/**
 * Returns values that violate the given rule, such as a missing value, a text that is too long, or a wrong type.
 * Earlier rules accept these values, so that the given rule causes the error.
 */
export function broken(rule: Rule): Broken[] {
  const long = rule.length && rule.type !== 'list' ? 'x'.repeat(rule.length[1] + 1) : undefined
  const values = ['#', 'é', long, rule.in === 'header' ? undefined : 7, 'text']
  const invalid = values.filter(value => value !== undefined && isBrokenBy(rule, value))
  return [
    ...(rule.required ? [{ value: undefined, reason: 'missing' as const }] : []),
    ...invalid.map(value => ({ value, reason: 'invalid' as const })),
  ]
}

function isBrokenBy(rule: Rule, value: unknown): boolean {
  const judged = { ...rule, field: 'value' }
  return faultOf([judged], { headers: { value: String(value) }, body: { value } }) !== undefined
}

/** Returns the body with a new value in the given field. In a list, only the first item is changed. */
export function changed(body: Json, field: string, value: unknown): Json {
  const [first = '', ...rest] = field.replaceAll('[]', '.0').split('.')
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[first] = rest.length === 0 ? value : changed(copy[first], rest.join('.'), value)
  return copy
}
