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

describe('the list of Xendit', () => {
  test('is requested for payments since five minutes before the oldest order', async () => {
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

  test('identifies orders by our reference or by the payment request', async () => {
    reply(
      200,
      page([
        moved({ reference_id: 'A' }),
        moved({ reference_id: 'another', product_data: { payment_request_id: 'pr-C' } }),
      ]),
    )
    expect(await unpaid()).toEqual(['B', 'D'])
  })

  test('contains an unpaid QRIS code as pending', async () => {
    reply(
      200,
      page([moved({ reference_id: 'A', status: 'PENDING' }), moved({ reference_id: 'B', status: 'FAILED' })]),
    )
    expect(await unpaid()).toEqual(['A', 'C', 'D'])
  })

  test('is read to its end, by the id of the last entry', async () => {
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
    ['is too long', page([moved({ reference_id: 'A' })], true)],
    ['has an entry that names no order', page([moved({})])],
    ['has an entry that names no order but null', page([moved({ reference_id: null, product_data: null })])],
  ])('contains no order if it %s', async (_, body) => {
    reply(200, body)
    expect(await unpaid()).toEqual([])
  })

  test.each([
    { data: 'none', has_more: false },
    { data: [7], has_more: false },
    { data: [] },
    { data: [], has_more: 'false' },
  ])('that is unreadable is an error, not a complete list: %j', async body => {
    reply(200, body)
    expect(await kindOf(unpaid())).toBe('unknown')
  })

  test('that the key may not read is an error, not an empty list', async () => {
    reply(403, { error_code: 'REQUEST_FORBIDDEN_ERROR', message: 'no permission' })
    expect(await kindOf(unpaid())).toBe('unavailable')
  })
})
