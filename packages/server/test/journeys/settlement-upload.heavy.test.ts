import { beforeAll, describe, expect, test } from 'vitest'
import { http } from '../support/merchant.ts'
import { exchange, head } from '../support/raw-http.ts'
import {
  csvOf,
  expected,
  type Reconciling,
  reconciling,
  refusal,
  told,
  upload,
} from '../support/settlement.ts'

let { demo, owner, partner, newDay, paid, reconcile } = {} as Reconciling

beforeAll(async () => {
  ;({ demo, owner, partner, newDay, paid, reconcile } = await reconciling())
})

const AMOUNT = 10_000_000

describe('a valid settlement can be uploaded, and an invalid one is rejected as a whole', () => {
  test('a settlement upload replaces the previous settlement completely or not at all', async () => {
    const day = await newDay()
    const [one, two] = [await paid(day), await paid(day)]
    await upload(demo, owner, day, csvOf([one], [one]))
    const bad = await upload(demo, owner, day, csvOf([two], [two, 'many']))
    expect(refusal(bad)).toEqual([400, 'BAD_REQUEST'])
    expect(bad.error.message).toMatch(/^bad request: line 3, column amount: /)
    expect(told((await reconcile(day)).differences)).toEqual(
      expected([one, 'payments_provider duplicate'], [two, 'payments_provider missing_there']),
    )
    const { data } = await upload(
      demo,
      owner,
      day,
      `reference,amount,fee\n${one.paymentCode},100000,4000\n${two.paymentCode},100000,4000\n`,
    )
    expect(data).toMatchObject({ lines: 2, amount: 2 * AMOUNT, fees: 800_000, duplicates: 0 })
    expect((await reconcile(day)).balanced).toBe(true)
    const settlements = `/v1/providers/midtrans/accounts/${day.accountId}/settlements`
    const list = await http('GET', demo.base_url + settlements, { auth: owner })
    expect(list.data).toEqual({ items: [data], next_cursor: null })
    const audit = await http('GET', `${demo.base_url}/v1/audit-log?limit=5`, { auth: owner })
    const written = audit.data.items.filter(
      (each: { subject_id: string; action: string }) =>
        each.subject_id === day.accountId && each.action === 'settlement.upload',
    )
    expect(written[0]).toMatchObject({
      before: { lines: 2, duplicates: 1 },
      after: { lines: 2, duplicates: 0 },
    })
    expect(written).toHaveLength(2)
  })

  test('if several settlements for one day are uploaded at once, reconciliation counts only one of them', async () => {
    const day = await newDay()
    const payment = await paid(day)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => upload(demo, owner, day, csvOf([payment]))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await reconcile(day)).balanced).toBe(true)
  })

  test('a settlement upload is rejected if it is not CSV, the account is unknown, or the day is in the future', async () => {
    const day = await newDay()
    expect(refusal(await upload(demo, owner, day, '{}', 'application/json'))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
    for (const accountId of ['none', demo.client.tenant_id])
      expect(refusal(await upload(demo, owner, { ...day, accountId }, csvOf()))).toEqual([404, 'NOT_FOUND'])
    for (const date of ['2999-01-01', '2026-02-30', '0000-01-01'])
      expect((await upload(demo, owner, { ...day, date }, csvOf())).error.message).toMatch(
        /^bad request: date: /,
      )
    expect(refusal(await upload(demo, partner, day, csvOf()))).toEqual([403, 'FORBIDDEN'])
  })

  test.each(['nobody', 'midtrans%00', 'xendit'])(
    'a settlement upload gets a 404 if the provider in its path is not the provider of the account: %s',
    async code => {
      const day = await newDay()
      const settlements = `${demo.base_url}/v1/providers/${code}/accounts/${day.accountId}/settlements`
      const list = await http('GET', settlements, { auth: owner })
      const sent = await http('PUT', `${settlements}/${day.date}`, {
        auth: owner,
        raw: csvOf(),
        headers: { 'content-type': 'text/csv' },
      })
      expect([list, sent].map(refusal)).toEqual([
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ])
    },
  )

  test('a settlement upload may be larger than other request bodies, up to 64 MiB', async () => {
    const day = await newDay()
    const lines = `${'x'.repeat(200)},1\n`.repeat(4_000)
    expect((await upload(demo, owner, day, `reference,amount\n${lines}`)).data).toMatchObject({
      lines: 4_000,
    })
    const path = `/v1/providers/midtrans/accounts/${day.accountId}/settlements/${day.date}`
    // Sends only the request head, because the service rejects a file above the limit before it receives the body.
    const length = `Content-Length: ${64 * 1024 * 1024 + 1}`
    const start = head(`PUT ${path} HTTP/1.1`, `Authorization: ${owner}`, 'Content-Type: text/csv', length)
    const [tooLarge] = await exchange(demo.base_url, start)
    expect([tooLarge?.status, JSON.parse(tooLarge?.body ?? '').error.code]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
  })
})
