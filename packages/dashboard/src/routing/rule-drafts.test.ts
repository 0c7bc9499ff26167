import { expect, test } from 'vitest'
import { draftsOf, movedDraft, newDraft, wantedOf } from './rule-drafts.ts'

const rule = (position: number, provider_account_id: string) => ({
  ...{ position, provider_account_id, weight: 1 },
  ...{ method_type: null, channel: null, min_amount: null, max_amount: null },
})
const drafts = draftsOf([rule(1, 'a'), rule(5, 'b'), rule(5, 'c')])
const told = (rules: typeof drafts) => rules.map(each => `${each.position}${each.provider_account_id}`)

test('opening routing rules in the form and saving them without an edit changes nothing', () => {
  expect(wantedOf(drafts)).toEqual([rule(1, 'a'), rule(5, 'b'), rule(5, 'c')])
})

test('a new routing rule is added after all existing rules and has no provider account yet', () => {
  expect(newDraft(drafts)).toMatchObject(rule(6, ''))
  expect(newDraft([])).toMatchObject(rule(1, ''))
})

test('moving a routing rule up swaps its position with the rule above and moves its table row', () => {
  expect(told(movedDraft(drafts, 1, -1))).toEqual(['1b', '5a', '5c'])
  expect(told(movedDraft(drafts, 0, -1))).toEqual(told(drafts))
  expect(movedDraft(drafts, 1, -1).map(({ key }) => key)).toEqual(['saved-1', 'saved-0', 'saved-2'])
})
