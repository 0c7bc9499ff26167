import { describe, expect, test } from 'vitest'
import { account, fake, inquiry, kindOf, reply, startFakeXendit } from '../../../test/support/fake-xendit.ts'
import { listUnpaid } from './list-unpaid.ts'

startFakeXendit()

const inquiries = ['A', 'B', 'C', 'D'].map(reference =>
  inquiry({ reference, providerPaymentId: `pr-${reference}` }),
)
const moved = (fields: object) => ({ id: 'txn_1', status: 'SUCCESS', ...fields })
const page = (data: object[], has_more = false) => ({ data, has_more, links: [] })
const unpaid = async () => [...(await listUnpaid(account(), inquiries))]

describe("the adapter determines the unpaid orders at Xendit from the account's list of transactions", () => {
  test("the request for Xendit's transaction list covers the time from five minutes before the oldest order", async () => {
    reply(200, page([]))
    expect(await unpaid()).toEqual(['A', 'B', 'C', 'D'])
    const url = new URL(fake.received[0]?.url ?? '', 'http://xendit')
    expect(url.pathname).toBe('/transactions')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      types: 'PAYMENT',
      'created[gte]': '2026-11-20T02:59:05.678Z',
      limit: '50',
    })
  })

  test("a payment in Xendit's list is matched to its order by our reference or the payment request id", async () => {
    reply(
      200,
      page([
        moved({ reference_id: 'A' }),
        moved({ reference_id: 'another', product_data: { payment_request_id: 'pr-C' } }),
      ]),
    )
    expect(await unpaid()).toEqual(['B', 'D'])
  })

  test('an order counts as unpaid if Xendit lists its payment as pending, for example an unpaid QRIS code', async () => {
    reply(
      200,
      page([moved({ reference_id: 'A', status: 'PENDING' }), moved({ reference_id: 'B', status: 'FAILED' })]),
    )
    expect(await unpaid()).toEqual(['A', 'C', 'D'])
  })

  test("the adapter reads all pages of Xendit's list, each starting after the previous page's last entry", async () => {
    fake.answer = (response, { url }) =>
      response.end(
        JSON.stringify(
          url.includes('after_id=txn_1')
            ? page([moved({ id: 'txn_2', reference_id: 'B' })])
            : page([moved({ reference_id: 'A' })], true),
        ),
      )
    expect(await unpaid()).toEqual(['C', 'D'])
    expect(fake.received).toHaveLength(2)
  })

  test.each([
    ['has too many pages', page([moved({ reference_id: 'A' })], true)],
    ['has an entry without an order', page([moved({})])],
    [
      'has an entry in which the ids of the order are null',
      page([moved({ reference_id: null, product_data: null })]),
    ],
    ['has an entry with a malformed id', page([moved({ product_data: { payment_request_id: ['pr-A'] } })])],
  ])(
    "no order counts as unpaid if Xendit's transaction list %s, because any order may then have been paid",
    async (_, body) => {
      reply(200, body)
      expect(await unpaid()).toEqual([])
    },
  )

  test.each([
    { data: 'none', has_more: false },
    { data: [7], has_more: false },
    { data: [] },
    { data: [], has_more: 'false' },
  ])('listing the unpaid orders fails if the response is not a valid list: %j', async body => {
    reply(200, body)
    expect(await kindOf(unpaid())).toBe('unknown')
  })

  test('listing unpaid orders fails if the API key is not allowed to read the list', async () => {
    reply(403, { error_code: 'REQUEST_FORBIDDEN_ERROR', message: 'no permission' })
    expect(await kindOf(unpaid())).toBe('unavailable')
  })
})
