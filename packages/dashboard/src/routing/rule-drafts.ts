// Routing rules as the user edits them in the form before saving them.

import type { Inputs, Outputs } from '../api/trpc.ts'
import { moved } from './moved.ts'

type Wanted = Inputs['routes']['setRules']['items'][number]
/** A routing rule in the form. `key` is the React key of its row, which stays with the rule when the rule is moved. */
export type RuleDraft = Required<Wanted> & { key: string; position: number }

export const draftsOf = (rules: Outputs['routes']['rules']['items']): RuleDraft[] =>
  rules.map((rule, index) => ({
    ...rule,
    // The type cast is safe. The API lists some payment methods that cannot be used yet, but a routing rule
    // never contains such a method.
    method_type: rule.method_type as RuleDraft['method_type'],
    key: `saved-${index}`,
  }))

export const wantedOf = (drafts: readonly RuleDraft[]): Wanted[] => drafts.map(({ key, ...rule }) => rule)

/**
 * Returns a new routing rule that matches every payment and comes last. The user has to choose its provider
 * account.
 */
export const newDraft = (drafts: readonly RuleDraft[]): RuleDraft => ({
  ...{ key: crypto.randomUUID(), provider_account_id: '', weight: 1 },
  position: Math.max(0, ...drafts.map(({ position }) => position)) + 1,
  ...{ method_type: null, channel: null, min_amount: null, max_amount: null },
})

/**
 * Moves a rule up or down by one place. The two rules that change places also exchange their `position` values,
 * because `position` determines the order of the rules.
 */
export function movedDraft(drafts: readonly RuleDraft[], from: number, by: -1 | 1): RuleDraft[] {
  const positions = drafts.map(({ position }) => position)
  return moved(drafts, from, by).map((draft, index) => ({ ...draft, position: positions[index] as number }))
}
