// Compares the callback URLs in docs/guides/going-live.md with those that the adapters serve.

import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractData } from '../src/providers/doku/contract-data.ts'
import { credentials } from '../src/providers/doku/credentials.ts'
import { doku } from '../src/providers/doku/doku.ts'
import { TOKEN_ENDPOINT } from '../src/providers/doku/notification.ts'
import { snapAccountOf, snapBanks } from '../src/providers/doku/profile.ts'
import { providers } from '../src/providers/registry.ts'
import { midtrans } from '../src/providers/snap/profile.ts'

const page = await readFile(join(import.meta.dirname, '../../../docs/guides/going-live.md'), 'utf8')

/** Returns the page's section about a provider: the text from `### Name (code)` to the next heading. */
const partOf = (code: string): string => {
  const [, part = ''] = new RegExp(`^### .+ \\(\`${code}\`\\)\\n(.*?)(?=^##)`, 'ms').exec(page) ?? []
  return part
}
/**
 * Returns the suffix that the provider's section on the going-live page appends to the callback URL. An empty string
 * means that the callback URL is used without a suffix.
 */
const suffixesOf = (code: string): string[] =>
  [...partOf(code).matchAll(/^\|.*`<callback URL>(.*?)`/gm)].map(([, suffix = '']) => suffix)

test('for every provider, the going-live page explains whether and where to enter the callback URL', () => {
  for (const code of providers.keys()) {
    const isSaid =
      suffixesOf(code).length > 0 || partOf(code).startsWith('\nYou do not have to enter a callback URL')
    expect([code, isSaid]).toEqual([code, true])
  }
})

test.each(['midtrans', 'xendit', 'tripay'])(
  'the going-live page shows the callback URL for the provider %s without a suffix',
  code => {
    expect(new Set(suffixesOf(code))).toEqual(new Set(['']))
  },
)

test('the going-live page lists exactly the paths that accept Midtrans BI-SNAP notifications', () => {
  expect(suffixesOf('snap').toSorted()).toEqual(Object.keys(midtrans.notifications).toSorted())
})

test("the documentation page about going live lists exactly the paths for DOKU's notifications and token requests", () => {
  const own = contractData.credentials()
  const key = createPublicKey(String(own.private_key)).export({ type: 'spki', format: 'pem' })
  const account = snapAccountOf({
    id: 'account',
    mode: 'test',
    baseUrl: null,
    credentials: credentials.parse({ ...own, provider_public_key: key }),
  })
  const listened = ['', TOKEN_ENDPOINT, ...Object.keys(account.profile.notifications)]
  expect([...new Set(suffixesOf('doku'))].toSorted()).toEqual(listened.toSorted())
})

test('the going-live page names the API that the adapter uses for each DOKU bank, store, and wallet', () => {
  const codesAt = (method: string): string[] => {
    const [, names = ''] = new RegExp(`^\\| ${method}: (.*?) +\\|`, 'm').exec(partOf('doku')) ?? []
    return names.toLowerCase().split(', ').toSorted()
  }
  const codesOf = (type: string): string[] =>
    (doku.methods.find(method => method.type === type)?.channels ?? []).map(({ code }) => code)
  const bySnap = Object.keys(snapBanks)
  expect(codesAt('Virtual Account SNAP')).toEqual(bySnap.toSorted())
  expect(codesAt('Virtual Account')).toEqual(
    codesOf('virtual_account')
      .filter(code => !bySnap.includes(code))
      .toSorted(),
  )
  expect(codesAt('Convenience Store')).toEqual(codesOf('over_the_counter').toSorted())
  expect(codesAt('e-Wallet SNAP')).toEqual(codesOf('e_wallet').toSorted())
})
