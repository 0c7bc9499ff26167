import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import type { Db } from '../../db/db.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
})

const payment = {
  tenant_id: '01990000-0000-7000-8000-00000000abcd',
  payment_code: 'GP261120-7Q4M2ZK8XW',
  amount: 15_000_000,
  channel: 'bca',
  idempotency_key: 'order-1001',
  provider_payment_id: null as string | null,
  method_data: null as object | null,
  customer_name: '',
  customer_email: '',
  customer_phone: '',
}
const ofEveryPayment = ['#bca', '7q4m2zk8xw', '=15000000', '>k8xw', '>m2zk8xw', 'gp261120']

/**
 * Returns a payment's search words. Each stored word begins with the last four characters of the tenant's ID, and
 * this prefix is removed.
 */
async function wordsOf(details: Partial<typeof payment>): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { word: string }[] }>(
    `select word from unnest(tsvector_to_array(
       payment_search_words(jsonb_populate_record(null::payments, ?)))) word`,
    [JSON.stringify({ ...payment, ...details })],
  )
  for (const { word } of rows) expect(word.slice(0, 4)).toBe('abcd')
  return rows
    .map(({ word }) => word.slice(4))
    .filter(word => !ofEveryPayment.includes(word))
    .sort()
}

test("a payment's search words include its code, amount and channel", async () => {
  const { rows } = await db.raw<{ rows: { words: string[] }[] }>(
    'select tsvector_to_array(payment_search_words(jsonb_populate_record(null::payments, ?))) as words',
    [JSON.stringify(payment)],
  )
  expect(rows[0]?.words).toEqual(expect.arrayContaining(ofEveryPayment.map(word => `abcd${word}`)))
})

test('names and email addresses are split into search words at spaces and punctuation', async () => {
  const customer = { customer_name: ` Ñusta\tO'Brien-Santoso `, customer_email: 'Budi_S+toko@mail.co.id' }
  expect(await wordsOf({ ...customer, idempotency_key: '-' })).toEqual(
    ['ñusta', 'o', 'brien', 'santoso', 'budi', 's', 'toko', 'mail', 'co', 'id'].sort(),
  )
})

test.each(['\u00a0', '\u2007', '\u202f', '\u3000', '\ufeff', '\u200b', '\u2011', '\u2013'])(
  'Unicode spaces and dashes separate the words of a name, and are removed from a phone number (%j)',
  async character => {
    const details = {
      customer_name: ['Budi', 'Santoso'].join(character),
      customer_phone: ['0812', '3456'].join(character),
      idempotency_key: '-',
    }
    expect(await wordsOf(details)).toEqual(['628123456', 'budi', 'santoso'])
  },
)

test('references are stored as search words without punctuation, account numbers and store codes also in reverse', async () => {
  const references = { idempotency_key: 'INV/2026 007', provider_payment_id: 'f3-A9' }
  expect(await wordsOf({ ...references, method_data: { va_number: '8808 1234-5' } })).toEqual(
    ['880812345', '<543218088', 'f3a9', 'inv2026007'].sort(),
  )
  expect(await wordsOf({ method_data: { payment_code: '0740-12' } })).toEqual(
    ['074012', '<210470', 'order1001'].sort(),
  )
})

test.each(['(0812) 345', '+62 812-345'])(
  'the phone number %s is one search word, which begins with the country code',
  async phone => {
    expect(await wordsOf({ customer_phone: phone })).toEqual(['62812345', 'order1001'])
  },
)

test('a payment whose phone number contains no digits gets no search word for the number', async () => {
  expect(await wordsOf({ customer_phone: '-' })).toEqual(['order1001'])
})

test("a leading 0 in a payment's reference is kept in the search word for this reference", async () => {
  const references = { idempotency_key: '-', provider_payment_id: '-', method_data: { va_number: '0812' } }
  expect(await wordsOf(references)).toEqual(['0812', '<2180'])
})

test("a search word is truncated to 200 characters, including its prefix of four characters from the tenant's ID", async () => {
  expect(await wordsOf({ customer_name: `Budi ${'x'.repeat(250)}` })).toEqual([
    'budi',
    'order1001',
    'x'.repeat(196),
  ])
  expect(await wordsOf({ customer_name: 'é'.repeat(196) })).toEqual(['order1001', 'é'.repeat(196)])
})

test("each word in the search index begins with the first five digits of the payment's ID", async () => {
  const { rows } = await db.raw<{ rows: { words: string[] }[] }>(
    `select tsvector_to_array(words_of_period('019a5f3c-1111-7000-8000-000000000000',
       array_to_tsvector(array['abcdbudi', 'abcd=15000000', 'abcdñusta']))) as words`,
  )
  expect(rows[0]?.words.sort()).toEqual(['019a5abcd=15000000', '019a5abcdbudi', '019a5abcdñusta'])
})
