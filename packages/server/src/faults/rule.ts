// How the message of a schema's rule leads back to its fault. zod passes on nothing but a message from most of its checks,
// so each rule that a schema names is registered under its message.

import type { z } from 'zod'
import { ruleFaults } from './rules.ts'

export type RuleId = keyof typeof ruleFaults
type ParamsOf<Id extends RuleId> = Parameters<(typeof ruleFaults)[Id]['text']>
export type Rule = {
  [Id in RuleId]: { id: Id; params: ParamsOf<Id> extends [infer Params] ? Params : Record<never, never> }
}[RuleId]

export const textOf = ({ id, params }: Rule): string =>
  (ruleFaults[id].text as (params: unknown) => string)(params)

/** Schemas are made when their modules load, so this does not grow. */
const named = new Map<string, Rule>()

/** The message of a rule, to be given to a schema. */
export function rule<Id extends RuleId>(id: Id, ...[params]: ParamsOf<Id>): string {
  const rule = { id, params: params ?? {} } as Rule
  const text = textOf(rule)
  named.set(text, rule)
  return text
}

/** The rule that an issue's schema named; undefined if zod's own rule is broken. */
export const namedRuleOf = ({ message }: Pick<z.core.$ZodIssue, 'message'>): Rule | undefined =>
  named.get(message)
