// Replaces zod's default error messages with our own, such as `amount: is required`. A message set on a schema
// takes precedence (faults/rule.ts). Importing this file changes the messages of all zod schemas in the program.

import { z } from 'zod'
import { namedRuleOf, type Rule, rule, ruleText } from '../faults/rule.ts'

type Bound = { bound: number; isExact: boolean; isInclusive: boolean }

function tooSmall(origin: string, { bound, isExact, isInclusive }: Bound): Rule {
  switch (origin) {
    case 'string':
      if (isExact) return { id: 'characters_not_exact', params: { exact: bound } }
      return bound === 1 ? { id: 'empty', params: {} } : { id: 'characters_too_few', params: { min: bound } }
    case 'array':
    case 'set':
    case 'map':
      return isExact
        ? { id: 'items_not_exact', params: { exact: bound } }
        : { id: 'items_too_few', params: { min: bound } }
    default:
      return { id: isInclusive ? 'number_too_small' : 'number_not_above', params: { min: bound } }
  }
}

function tooLarge(origin: string, { bound, isExact, isInclusive }: Bound): Rule {
  switch (origin) {
    case 'string':
      return isExact
        ? { id: 'characters_not_exact', params: { exact: bound } }
        : { id: 'characters_too_many', params: { max: bound } }
    case 'array':
    case 'set':
    case 'map':
      return isExact
        ? { id: 'items_not_exact', params: { exact: bound } }
        : { id: 'items_too_many', params: { max: bound } }
    default:
      return { id: isInclusive ? 'number_too_large' : 'number_not_below', params: { max: bound } }
  }
}

/** Converts an issue that one of zod's built-in checks reports into this project's validation rule. */
function generalRule(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): Rule {
  switch (issue.code) {
    case 'invalid_type':
      return { id: 'type_wrong', params: { type: String(issue.expected) } }
    case 'too_small':
      return tooSmall(String(issue.origin), {
        bound: Number(issue.minimum),
        isExact: issue.exact === true,
        isInclusive: issue.inclusive !== false,
      })
    case 'too_big':
      return tooLarge(String(issue.origin), {
        bound: Number(issue.maximum),
        isExact: issue.exact === true,
        isInclusive: issue.inclusive !== false,
      })
    case 'invalid_value': {
      const values = (issue.values as unknown[]).map(String)
      return values.length === 1
        ? { id: 'value_wrong', params: { value: values[0] as string } }
        : { id: 'value_not_listed', params: { values } }
    }
    case 'invalid_format':
      return { id: 'format_wrong', params: { format: String(issue.format) } }
    case 'not_multiple_of':
      return { id: 'not_multiple', params: { of: Number(issue.divisor) } }
    case 'invalid_union':
      // If the field that selects the union's member has no valid value, the message lists the valid values.
      return 'options' in issue && Array.isArray(issue.options)
        ? { id: 'value_not_listed', params: { values: issue.options.map(String) } }
        : { id: 'form_not_allowed', params: {} }
    case 'invalid_key':
      return { id: 'name_not_allowed', params: {} }
    default:
      return { id: 'form_not_allowed', params: {} }
  }
}

const required = rule('required')

/** Returns whether the issue reports a missing field. */
function isMissing(issue: z.core.$ZodRawIssue): boolean {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return issue.input === undefined
    case 'invalid_union':
      // For an invalid union, `issue.input` is the whole object. The value that may be missing is its
      // discriminator (the field that selects the union's member).
      return (
        issue.discriminator !== undefined &&
        (issue.input as Record<string, unknown>)[issue.discriminator as string] === undefined
      )
    default:
      return false
  }
}

export const messageOf: z.core.$ZodErrorMap = issue =>
  isMissing(issue) ? required : ruleText(generalRule(issue))

/**
 * Returns the rule that a value violates. If the message belongs to no rule, for example because it comes from a
 * provider's schema, returns `input_invalid` with this message.
 */
export function ruleOf(issue: z.core.$ZodIssue): Rule {
  const named = namedRuleOf(issue)
  if (named) return named
  const general = generalRule(issue)
  return ruleText(general) === issue.message
    ? general
    : { id: 'input_invalid', params: { what: issue.message } }
}

/**
 * Returns the issue to report from a validation error, usually the first one. For a number that is not a safe integer
 * in JavaScript, the first issue is zod's own limit. In this case, returns the last issue, because it is the schema's
 * limit, which is narrower.
 */
export function firstIssue({ issues }: z.ZodError): z.core.$ZodIssue {
  const first = issues[0] as z.core.$ZodIssue
  const bound =
    first.code === 'too_big' ? first.maximum : first.code === 'too_small' ? first.minimum : undefined
  if (Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER) return first
  const field = first.path.join('.')
  return issues.findLast(({ code, path }) => code === first.code && path.join('.') === field) ?? first
}

/**
 * Returns the most useful issue of a validation error. If a value matches no member of a union, each member reports an
 * issue. The function then returns the issue at the deepest place in the value. If several issues are equally deep, it
 * returns the last of them.
 */
export function furthest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const members = issue.errors.flatMap(([first]) => (first ? [furthest(first)] : []))
  const [inside] = members.sort((a, b) => a.path.length - b.path.length).slice(-1)
  // A message that the schema defines for the whole union is more useful than the issue of one member, so the
  // union's issue is returned.
  if (!inside || (inside.path.length === 0 && namedRuleOf(issue))) return issue
  return { ...inside, path: [...issue.path, ...inside.path] }
}

z.config({ localeError: messageOf })
