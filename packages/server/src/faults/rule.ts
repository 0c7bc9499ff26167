// Finds the fault that belongs to a validation message. Most checks of zod report only a message, so each rule that a
// schema uses is registered under its message.

import type { z } from 'zod'
import { validationFaults } from './validation.ts'

export type RuleId = keyof typeof validationFaults
type ParamsOf<Id extends RuleId> = Parameters<(typeof validationFaults)[Id]['text']>
export type Rule = {
  [Id in RuleId]: { id: Id; params: ParamsOf<Id> extends [infer Params] ? Params : Record<never, never> }
}[RuleId]

export const ruleText = ({ id, params }: Rule): string =>
  (validationFaults[id].text as (params: unknown) => string)(params)

/** Message → rule. Schemas are created when their modules load, so this map does not grow later. */
const named = new Map<string, Rule>()

/** Returns the message of a rule, for use in a schema, and registers the rule under it. */
export function rule<Id extends RuleId>(id: Id, ...[params]: ParamsOf<Id>): string {
  const rule = { id, params: params ?? {} } as Rule
  const text = ruleText(rule)
  named.set(text, rule)
  return text
}

/** Returns the rule that a validation issue violates; undefined if it is a rule of zod's own. */
export const namedRuleOf = ({ message }: Pick<z.core.$ZodIssue, 'message'>): Rule | undefined =>
  named.get(message)
