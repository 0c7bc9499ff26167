import { beforeEach, expect, test } from 'vitest'
import {
  account,
  fake,
  ID,
  inquiry,
  known,
  PAYMENT_ID,
  paid,
  REFERENCE,
  startFakeXendit,
} from '../../../test/support/fake-xendit.ts'
import type { MoneyReturn } from '../provider.ts'
import { xendit } from './xendit.ts'

startFakeXendit()

const refund = { id: 'rfd-1', reference_id: 'GP1-R1', currency: 'IDR', amount: 5_000, status: 'SUCCEEDED' }
const dispute = {
  ...{ id: 'd-1', payment_id: PAYMENT_ID, reference_id: REFERENCE, status: 'LOST', currency: 'IDR' },
  amount: { initial: '5000.00', terminal: null },
}
let refunds: object[]
let disputes: Record<string, object>

beforeEach(() => {
  refunds = [refund]
  disputes = { 'd-1': dispute }
  const bodyOf = (url: string): object | undefined => {
    if (url.startsWith('/refunds?')) return { data: refunds, has_more: false }
    if (url.startsWith('/v1/disputes/')) return disputes[url.slice('/v1/disputes/'.length)]
    return url.startsWith('/v3/payments/') ? paid : { ...known, latest_payment_id: PAYMENT_ID }
  }
  fake.answer = (response, { url }) => {
    const body = bodyOf(url)
    response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? { error_code: 'DATA_NOT_FOUND' }))
  }
})

const reportedRefund: MoneyReturn = { kind: 'refund', id: 'rfd-9', amount: 1n, status: 'failed' }
const reportedDispute: MoneyReturn = { kind: 'chargeback', id: 'd-1', amount: 1n, status: 'failed' }
async function found(...reportedReturns: MoneyReturn[]): Promise<MoneyReturn[] | undefined> {
  const result = await xendit.inquire(account(), inquiry({ reportedReturns }))
  return typeof result === 'string' ? undefined : result.returns
}
const sent = () => fake.received.map(({ url }) => url)

test('if a callback reported a refund, the status inquiry also requests the list of all refunds of the payment', async () => {
  expect(await found(reportedRefund)).toEqual([
    { kind: 'refund', id: 'rfd-1', reference: 'GP1-R1', amount: 500_000n, status: 'succeeded' },
  ])
  expect(sent()).toContain(`/refunds?payment_request_id=${ID}&limit=100`)
})

test('if a callback reported a dispute, the status inquiry also looks up this dispute', async () => {
  expect(await found(reportedDispute)).toEqual([
    { kind: 'chargeback', id: 'd-1', amount: 500_000n, status: 'succeeded' },
  ])
  expect(sent()).toHaveLength(3)
})

test('a status inquiry sends no requests about refunds and disputes if no callback reported any', async () => {
  expect(await found()).toBeUndefined()
  expect(sent()).toEqual([`/v3/payment_requests/${ID}`, `/v3/payments/${PAYMENT_ID}`])
})

test.each<[string, object | undefined]>([
  ['does not exist', undefined],
  ['has another id', { ...dispute, id: 'd-2' }],
  ['is about another order', { ...dispute, reference_id: 'GP2' }],
  ['is about another payment', { ...dispute, reference_id: null, payment_id: 'py-2' }],
])('a dispute reported by a callback is not confirmed if the dispute at Xendit %s', async (_, found1) => {
  disputes = found1 ? { 'd-1': found1 } : {}
  expect(await found(reportedDispute)).toBeUndefined()
})

test('a dispute without a reference is found by the payment’s id', async () => {
  disputes = { 'd-1': { ...dispute, reference_id: null } }
  expect(await found(reportedDispute)).toHaveLength(1)
})

test('a failed refund attempt is not returned if another attempt with the same reference is pending or has succeeded', async () => {
  refunds = [refund, { ...refund, id: 'rfd-0', status: 'FAILED' }]
  expect(await found(reportedRefund)).toMatchObject([{ id: 'rfd-1', status: 'succeeded' }])
  refunds = [
    { ...refund, status: 'FAILED' },
    { ...refund, id: 'rfd-2', reference_id: 'other', status: 'FAILED' },
  ]
  expect(await found(reportedRefund)).toHaveLength(2)
})
