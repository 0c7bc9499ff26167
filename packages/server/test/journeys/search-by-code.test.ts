// Tests searches by parts of payment codes, and by names and phone numbers that contain Unicode spaces.

import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { insertPendingPayment } from '../support/make.ts'
import { http, logIn } from '../support/merchant.ts'

let { app, demo }: TestApp = {} as TestApp
let user: string
beforeAll(async () => {
  ;({ app, demo } = await testApp())
  user = await logIn(demo, demo.client)
})

const code = 'GP261120-7Q4M2ZK8XW'
const random = code.slice(-10)
let id: string
beforeAll(async () => {
  const payments = [
    { paymentCode: code, customerName: 'Ratna' },
    { paymentCode: 'GP261120-ABCDEFGHJK', customerName: 'Slamet' },
  ]
  for (const payment of payments.toReversed())
    ({ id } = await insertPendingPayment(app.db, { tenantId: demo.client.tenant_id, ...payment }))
})

/** Returns the payments found by a search, and their number. */
async function search(q: string): Promise<[found: string[], count: number]> {
  const { data } = await http('GET', `${demo.base_url}/v1/payments?count=true&q=${encodeURIComponent(q)}`, {
    auth: user,
  })
  return [data.items.map((item: { id: string }) => item.id), data.total.count]
}

const parts = [0, 1, 2, 3, 4, 5].flatMap(start =>
  [5, 6, 7, 8, 9, 10].filter(end => end >= start + 5).map(end => random.slice(start, end)),
)

test('a search finds and counts payments by any five characters from the random part of their codes', async () => {
  for (const q of parts) expect([q, await search(q.toLowerCase())]).toEqual([q, [[id], 1]])
})

test('a search finds a payment by the first three and the last four characters of its code’s random part', async () => {
  for (const q of ['7q4', '7Q4M', 'k8xw']) expect([q, await search(q)]).toEqual([q, [[id], 1]])
})

test('a search finds a payment by a part of its code that spans the date and the random part', async () => {
  for (const q of ['120-7Q4', '1120-7q4m2', 'P261120-7Q4M2ZK8XW'])
    expect([q, await search(q)]).toEqual([q, [[id], 1]])
  expect(await search('1121-7q4m2')).toEqual([[], 0])
})

test('a search for part of a payment code and another word finds only payments that match both of them', async () => {
  for (const q of ['4M2ZK ratna', 'ratna 2ZK8X']) expect([q, await search(q)]).toEqual([q, [[id], 1]])
  expect(await search('4M2ZK slamet')).toEqual([[], 0])
})

test('a search by the end of a payment code also finds payments created before migration 0103', async () => {
  const old = await insertPendingPayment(app.db, { tenantId: demo.client.tenant_id })
  await asOwner(app.db, owner =>
    owner.raw(
      `update payment_search
       set words = array_to_tsvector(array[right(tenant_id::text, 4) || '<' || reverse(lower(?::text))])
       where payment_id = ?`,
      [old.paymentCode.slice(-10), old.id],
    ),
  )
  for (const length of [4, 6, 9])
    expect([length, await search(old.paymentCode.slice(-length))]).toEqual([length, [[old.id], 1]])
})

test('a search for part of a payment code does not find a payment whose code differs in one character', async () => {
  for (const q of ['3M2ZK', 'AM2ZK8', '4M2ZJ', 'JK8XW']) expect([q, await search(q)]).toEqual([q, [[], 0]])
})

test('a search by part of a payment code returns payments in the requested order', async () => {
  const older = id
  const newer = await insertPendingPayment(app.db, {
    tenantId: demo.client.tenant_id,
    paymentCode: 'GP261121-4M2ZKABCDE',
  })
  const found = async (order: string) => {
    const path = `/v1/payments?order=${order}&q=4m2zk`
    const { data } = await http('GET', demo.base_url + path, { auth: user })
    return data.items.map((item: { id: string }) => item.id)
  }
  expect(await found('oldest')).toEqual([older, newer.id])
  expect(await found('newest')).toEqual([newer.id, older])
})

test('a search treats a no-break space in search texts and payments as a space', async () => {
  const payment = await insertPendingPayment(app.db, {
    tenantId: demo.client.tenant_id,
    customerName: 'Wulan\u00a0Prameswari',
    customerPhone: '0857\u00a01122\u202f3344',
  })
  for (const q of [
    'Prameswari',
    'wulan prameswari',
    'Wulan\u00a0Prameswari',
    '0857-1122-3344',
    '0857\u00a01122\u00a03344',
  ])
    expect(await search(q)).toEqual([[payment.id], 1])
})

test('a search with a no-break space also finds payments stored with a no-break space by earlier versions', async () => {
  const { tenantId, id } = await insertPendingPayment(app.db, { tenantId: demo.client.tenant_id })
  const words = ['tirta\u00a0kusuma', '62858\u00a09988'].map(word => `${tenantId.slice(-4)}${word}`)
  await asOwner(app.db, owner =>
    owner.raw('update payment_search set words = array_to_tsvector(?::text[]) where payment_id = ?', [
      words,
      id,
    ]),
  )
  for (const q of ['Tirta\u00a0Kusuma', '0858\u00a09988']) expect(await search(q)).toEqual([[id], 1])
})
