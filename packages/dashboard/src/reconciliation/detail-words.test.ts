import { type DetailText, detailIn, detailTexts, EXPLAINED } from '@gapura/server/difference-detail'
import { expect, test } from 'vitest'
import { detailOf } from './detail-words.ts'

test.each(Object.keys(detailTexts) as DetailText[])(
  "the dashboard recognizes the service's text about a reconciliation difference, so that it can show this text in the user's language: %s",
  text => {
    const all = { ours: 'pending', theirs: 'deny; see 2', line: '7' }
    const values = Object.fromEntries(
      Object.entries(all).filter(([name]) => detailTexts[text].includes(`{${name}}`)),
    )
    const said = detailIn(text, all)
    expect(detailOf(said)).toEqual({ text, values, isExplained: false })
    expect(detailOf(said + EXPLAINED)).toEqual({ text, values, isExplained: true })
  },
)

test('an unknown text about a reconciliation difference is shown unchanged', () => {
  expect(detailOf('the provider is closed')).toBeUndefined()
})
