// Tests that the Owner can accept a partial payment only after a status inquiry has confirmed the money.

import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { outerTransaction } from '../../src/db/outer-transaction.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import { ProviderError } from '../../src/providers/provider.ts'
import { inboxBench, type Paid } from '../support/inbox.ts'
import { http, logIn } from '../support/merchant.ts'

const { demo, created, paid, recordOf, decide, entriesOf, statusOf, ...bench } = await inboxBench()
const { tell } = bench

afterEach(() => vi.restoreAllMocks())

/**
 * Sends a callback that reports a partial payment, although the simulated provider received no money for the
 * payment.
 */
async function reported(gross_amount: string): Promise<Paid> {
  const payment = await created()
  await tell(payment.payment_code, { transaction_id: randomUUID(), gross_amount })
  return payment
}

test('accepting a partial payment credits the amount that the provider confirms', async () => {
  const inquire = vi.spyOn(midtrans, 'inquire')
  const payment = await paid(6_000_000)
  inquire.mockClear()
  expect(await decide((await recordOf(payment)).id, 'accept')).toMatchObject({
    status: 200,
    data: { status: 'accepted', in_ledger: true },
  })
  expect(inquire).toHaveBeenCalledTimes(1)
  expect(await entriesOf(payment)).toEqual([['credit', 6_000_000]])
})

test('accepting a partial payment after the rest has arrived credits the payment in full', async () => {
  const payment = await reported('40000.00')
  const { id, receipt } = await recordOf(payment)
  vi.spyOn(midtrans, 'inquire').mockImplementation(async (_, { reference }) => ({
    ...{ reference, providerPaymentId: receipt },
    fact: { type: 'paid', amountPaid: 10_000_000n, receipt },
  }))
  expect(await decide(id, 'accept')).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('the payment became paid with this money') },
  })
  expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
})

test.each([
  ['without a receipt ID', undefined],
  ['under another receipt ID', randomUUID()],
])(
  'if the provider reports the whole amount %s, accepting the partial payment is first rejected, because the credit may already include it',
  async (_, other) => {
    const payment = await reported('40000.00')
    const { id, receipt } = await recordOf(payment)
    vi.spyOn(midtrans, 'inquire').mockImplementation(async (_, { reference }) => ({
      ...{ reference, providerPaymentId: receipt },
      fact: { type: 'paid', amountPaid: 10_000_000n, ...(other !== undefined && { receipt: other }) },
    }))
    expect(await decide(id, 'accept')).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: expect.stringContaining('the credit may include this money') },
    })
    expect(await entriesOf(payment)).toEqual([['credit', 10_000_000]])
    expect(await decide(id, 'accept')).toMatchObject({ status: 200, data: { status: 'accepted' } })
    expect(await entriesOf(payment)).toEqual([
      ['credit', 10_000_000],
      ['credit', 4_000_000],
    ])
  },
)

test('a partial payment that the provider does not confirm is credited only with `without_confirmation`', async () => {
  const payment = await reported('40000.00')
  const { id } = await recordOf(payment)
  expect(await decide(id, 'accept')).toMatchObject({
    status: 409,
    error: { code: 'CONFLICT', message: expect.stringContaining('send without_confirmation: true') },
  })
  expect([await statusOf(payment), await entriesOf(payment)]).toEqual(['challenged', []])
  const inquire = vi.spyOn(midtrans, 'inquire')
  expect(await decide(id, 'accept', { without_confirmation: true })).toMatchObject({ status: 200 })
  expect(inquire).not.toHaveBeenCalled()
  expect(await entriesOf(payment)).toEqual([['credit', 4_000_000]])
})

test('a partial payment cannot be accepted if the provider does not respond to the status inquiry', async () => {
  const payment = await paid(6_000_000)
  vi.spyOn(midtrans, 'inquire').mockRejectedValue(new ProviderError('unavailable', 'could not be reached'))
  expect(await decide((await recordOf(payment)).id, 'accept')).toMatchObject({
    status: 409,
    error: { code: 'CONFLICT', message: expect.stringContaining('the provider did not respond') },
  })
  expect(await entriesOf(payment)).toEqual([])
})

test('accepting money with an idempotency key sends one status inquiry, and repeating the request sends none', async () => {
  const transactions: unknown[] = []
  const inquire = midtrans.inquire
  vi.spyOn(midtrans, 'inquire').mockImplementation((account, inquiry) => {
    transactions.push(outerTransaction())
    return inquire(account, inquiry)
  })
  const payment = await paid(6_000_000)
  const { id } = await recordOf(payment)
  transactions.length = 0
  const auth = await logIn(demo, demo.owner)
  const accept = () =>
    http('POST', `${demo.base_url}/v1/unexpected-money/${id}/accept`, {
      auth,
      body: { reason: 'agreed' },
      headers: { 'X-Idempotency-Key': `accept-${id}` },
    })
  const answers = [await accept(), await accept()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(transactions).toEqual([undefined])
  expect(await entriesOf(payment)).toEqual([['credit', 6_000_000]])
})

test('an invalid reason for accepting money is rejected before the provider receives a status inquiry', async () => {
  const payment = await paid(6_000_000)
  const inquire = vi.spyOn(midtrans, 'inquire')
  expect(await decide((await recordOf(payment)).id, 'accept', { reason: ' ' })).toMatchObject({ status: 400 })
  expect(inquire).not.toHaveBeenCalled()
})
