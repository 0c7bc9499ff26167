// Routing rules as they stand in the form: those that are saved, and what becomes of them before they are saved again.

import type { Inputs, Outputs } from '../api/trpc.ts'
import { moved } from './moved.ts'

type Wanted = Inputs['routes']['setRules']['items'][number]
/** key: of its row, which keeps it wherever the rule is moved. */
export type RuleDraft = Required<Wanted> & { key: string; position: number }

export const draftsOf = (rules: Outputs['routes']['rules']['items']): RuleDraft[] =>
  rules.map((rule, index) => ({
    ...rule,
    // What is listed and cannot be created yet has no rules.
    method_type: rule.method_type as RuleDraft['method_type'],
    key: `saved-${index}`,
  }))

export const wantedOf = (drafts: readonly RuleDraft[]): Wanted[] => drafts.map(({ key, ...rule }) => rule)

/** For everything, behind the others; to which account, somebody has to say. */
export const newDraft = (drafts: readonly RuleDraft[]): RuleDraft => ({
  ...{ key: crypto.randomUUID(), provider_account_id: '', weight: 1 },
  position: Math.max(0, ...drafts.map(({ position }) => position)) + 1,
  ...{ method_type: null, channel: null, min_amount: null, max_amount: null },
})

/** Two that change places change their positions, too, which is what counts. */
export function movedDraft(drafts: readonly RuleDraft[], from: number, by: -1 | 1): RuleDraft[] {
  const positions = drafts.map(({ position }) => position)
  return moved(drafts, from, by).map((draft, index) => ({ ...draft, position: positions[index] as number }))
}
