import { expect, test } from 'vitest'
import { pages } from '../docs/contents.ts'
import { addressIn } from '../docs/language.ts'
import { ledgerDiffersMail, reconciliationDiffersMail } from './mail.ts'

const publicUrl = 'https://pay.example'

test.each([
  ['the ledger', ledgerDiffersMail],
  ['the reconciliation', reconciliationDiffersMail],
])(
  'the email about differences in %s links to a page of the documentation site, in English and in Indonesian',
  (_, mail) => {
    const { text } = mail({ to: 'finance@gapura.example', count: 1, publicUrl })
    const guides = text.match(/https:\/\/pay\.example\/docs\S+/g)
    const served = pages.map(({ slug }) =>
      (['en', 'id'] as const).map(language => `${publicUrl}${addressIn(language, slug)}`),
    )
    expect(served).toContainEqual(guides)
  },
)
