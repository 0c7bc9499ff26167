// Finds the fault (the kind of error) for a failed validation. zod usually reports only the error message, so
// each validation rule is registered under its message.

import type { z } from 'zod'
import { validationFaults } from './validation.ts'

export type RuleId = keyof typeof validationFaults
type ParamsOf<Id extends RuleId> = Parameters<(typeof validationFaults)[Id]['text']>
export type Rule = {
  [Id in RuleId]: { id: Id; params: ParamsOf<Id> extends [infer Params] ? Params : Record<never, never> }
}[RuleId]

export const ruleText = ({ id, params }: Rule): string =>
  (validationFaults[id].text as (params: unknown) => string)(params)

/**
 * Maps each error message to its validation rule. Schemas register their rules when their modules load, so
 * the map does not grow afterward.
 */
const named = new Map<string, Rule>()

/** Registers a validation rule under its error message, and returns the message for use in a schema. */
export function rule<Id extends RuleId>(id: Id, ...[params]: ParamsOf<Id>): string {
  const rule = { id, params: params ?? {} } as Rule
  const text = ruleText(rule)
  named.set(text, rule)
  return text
}

/**
 * Returns the service's own rule that an input violates, given the validation issue. Returns undefined if the
 * violated rule is built into zod.
 */
export const namedRuleOf = ({ message }: Pick<z.core.$ZodIssue, 'message'>): Rule | undefined =>
  named.get(message)
