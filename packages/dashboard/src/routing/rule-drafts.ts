// Routing rules as edited in the form before they are saved.

import type { Inputs, Outputs } from '../api/trpc.ts'
import { moved } from './moved.ts'

type Wanted = Inputs['routes']['setRules']['items'][number]
/** key: the row's React key, which stays with the rule when it is moved. */
export type RuleDraft = Required<Wanted> & { key: string; position: number }

export const draftsOf = (rules: Outputs['routes']['rules']['items']): RuleDraft[] =>
  rules.map((rule, index) => ({
    ...rule,
    // A method that is listed but cannot be used for payments yet has no rules.
    method_type: rule.method_type as RuleDraft['method_type'],
    key: `saved-${index}`,
  }))

export const wantedOf = (drafts: readonly RuleDraft[]): Wanted[] => drafts.map(({ key, ...rule }) => rule)

/** A rule that matches everything and comes last. The user has to choose its account. */
export const newDraft = (drafts: readonly RuleDraft[]): RuleDraft => ({
  ...{ key: crypto.randomUUID(), provider_account_id: '', weight: 1 },
  position: Math.max(0, ...drafts.map(({ position }) => position)) + 1,
  ...{ method_type: null, channel: null, min_amount: null, max_amount: null },
})

/** Two rules that swap places also swap positions, because the position determines the order. */
export function movedDraft(drafts: readonly RuleDraft[], from: number, by: -1 | 1): RuleDraft[] {
  const positions = drafts.map(({ position }) => position)
  return moved(drafts, from, by).map((draft, index) => ({ ...draft, position: positions[index] as number }))
}
