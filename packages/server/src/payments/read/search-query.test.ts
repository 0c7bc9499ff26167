import { expect, test } from 'vitest'
import { type SearchTerms, searchQueryOf } from './search-query.ts'

const tenantId = '01990000-0000-7000-8000-00000000abcd'
const none = { text: undefined, channel: undefined, amount: undefined }
const queryOf = (terms: Partial<SearchTerms>) => searchQueryOf(tenantId, { ...none, ...terms })
const query = (text: string) => queryOf({ text })?.query.replaceAll('abcd', '')

test('each search word must match the beginning of a word in the payment', () => {
  expect(query('Dewi Lestari')).toBe(`'Dewi':* & 'Lestari':*`)
})

test.each([
  ['a short word must match as a whole', 'di', `'di'`],
  ['an email address matches by its parts', 'a.b@toko.id', `(('a' & 'b' & 'toko' & 'id') | ('abtokoid':*))`],
  [
    'the end of an internet domain must match as a whole',
    'a.b@toko.com',
    `(('a' & 'b' & 'toko' & 'com') | ('abtokocom':*))`,
  ],
  ['a number is also an amount in rupiah', '5000', `('5000':* | '<0005':* | '=500000')`],
  ['thousands separators and a currency are ignored', 'Rp 150.000', undefined],
])('in the database query for a search text, %s', (_, text, expected) => {
  if (expected !== undefined) expect(query(text)).toBe(expected)
  else expect(query(text)).toContain(`'=15000000'`)
})

test('a search for an amount and other words also finds matching payments of exactly this amount', () => {
  expect(query('Budi Rp150.000')).toMatch(/^'Budi':\* & \(.* \| \('=15000000'\)\)$/)
  expect(query('150000 Budi')).toMatch(/^\(.* \| '=15000000'\) & 'Budi':\*$/)
})

test('a searched phone number that begins with 0 also matches the number with the country code 62', () => {
  expect(query('0812-3456-7890')).toContain(`'6281234567890':*`)
})

test.each([
  ['no-break spaces', '0812\u00a03456\u00a07890'],
  ['narrow no-break spaces', '0812\u202f3456\u202f7890'],
  ['full-width spaces', '0812\u30003456\u30007890'],
  ['dots', '0812.3456.7890'],
  ['parentheses', '(0812) 3456-7890'],
  ['en dashes', '0812\u20133456\u20137890'],
  ['non-breaking hyphens', '0812\u20113456\u20117890'],
])('a searched phone number can contain %s', (_, text) => {
  expect(query(text)).toContain(`'6281234567890':*`)
})

test('a search for a name and a phone number 0812… also matches the number as 62812…', () => {
  expect(query('Budi 0812-3456-7890')).toMatch(/^'Budi':\* & .*'6281234567890':\*/)
})

test.each(['\u00a0', '\u2007', '\u202f', '\u3000', '\ufeff', '\u200b'])(
  'a Unicode space in a search text separates words, and older payments that contain the same space are found, too (%j)',
  space => {
    const text = `Budi${space}Santoso`
    expect(query(text)).toContain(`'Santoso':*`)
    expect(query(text)).toContain(`'${text}':*`)
  },
)

test('a virtual account number with spaces is searched as a single number without spaces', () => {
  expect(query('8808 1234 5678')).toContain(`'880812345678':*`)
})

test('a number in a search also matches the end of a virtual account number, with or without spaces', () => {
  expect(query('1234')).toContain(`'<4321':*`)
  expect(query('12345678901234')).toContain(`'<43210987654321':*`)
  expect(query('1234 5678')).toContain(`'<87654321':*`)
})

const ofCode = (terms: Partial<SearchTerms>) =>
  queryOf(terms)?.ofCode.map(({ query, part }) => [query.replaceAll('abcd', ''), part])

test.each([
  [
    'from the middle is searched without its first characters',
    'k8xwq',
    `('>k8xwq':* | '>8xwq':* | '>xwq':*)`,
  ],
  ['with four characters keeps at least three of them', 'k8xw', `('>k8xw':* | '>8xw':*)`],
  ['that includes a part of the date is searched by its random part', '1120-7Q4', `'7Q4':*`],
])('if payments are searched by a part of their payment code, a part %s', (_, text, expected) => {
  expect(ofCode({ text })).toEqual([[expected, text.toUpperCase()]])
})

test.each(['k8x', 'budi', '2026-0071', 'order-1001'])(
  'payment codes are not searched for the text %s, because it cannot be part of a payment code',
  text => {
    expect(ofCode({ text: text })).toEqual([])
  },
)

test('a search for part of a payment code and other words finds only payments that match all of them', () => {
  expect(ofCode({ text: 'dewi k8xw', channel: 'bca', amount: 500n })).toEqual([
    [`('>k8xw':* | '>8xw':*) & 'dewi':* & '#bca' & '=500'`, 'K8XW'],
  ])
})

test('a search with text, a channel and an amount finds only payments that match all three', () => {
  expect(queryOf({ text: 'budi', channel: 'bca', amount: 500n })?.query.replaceAll('abcd', '')).toBe(
    `'budi':* & '#bca' & '=500'`,
  )
  expect(queryOf({})).toBeUndefined()
})

test('a search text without letters or digits produces no query', () => {
  for (const text of ['', '  ', '@', `'`, '\\', '%_']) expect(query(text)).toBeUndefined()
})

test('quotes and operators in a search text are never interpreted as query syntax', () => {
  for (const text of [`'a`, `a\\'b`, `x':* | 'y`, 'a\u0000b']) {
    const inQuotes = (queryOf({ text, channel: text })?.query ?? '').replaceAll(/'[^'\\]*'/g, 'w')
    expect(inQuotes).toMatch(/^[w:*&|() ]*$/)
  }
})
