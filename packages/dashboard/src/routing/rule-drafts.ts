// Routing rules as the user edits them in the form before saving them.

import type { Inputs, Outputs } from '../api/trpc.ts'
import { moved } from './moved.ts'

type Wanted = Inputs['routes']['setRules']['items'][number]
/** A routing rule in the form. `key` is the React key of its row, which stays with the rule when the rule is moved. */
export type RuleDraft = Required<Wanted> & { key: string; position: number }

export const draftsOf = (rules: Outputs['routes']['rules']['items']): RuleDraft[] =>
  rules.map((rule, index) => ({
    ...rule,
    // The type cast is safe: the API lists some methods that cannot be used for payments yet, but rules never
    // contain them.
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

/** Moves a rule. When two rules swap places, they also swap positions, because the position determines the order. */
export function movedDraft(drafts: readonly RuleDraft[], from: number, by: -1 | 1): RuleDraft[] {
  const positions = drafts.map(({ position }) => position)
  return moved(drafts, from, by).map((draft, index) => ({ ...draft, position: positions[index] as number }))
}
