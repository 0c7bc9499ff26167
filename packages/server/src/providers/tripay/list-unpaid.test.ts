import { describe, expect, test } from 'vitest'
import { fakeServer } from '../../../test/support/fake-server.ts'
import type { Inquiry } from '../provider.ts'
import { listUnpaid } from './list-unpaid.ts'

const server = await fakeServer()
const account = {
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test' as const,
  credentials: { api_key: 'DEV-key', private_key: 'private', merchant_code: 'T0001' },
  baseUrl: server.url,
}
const startedAt = new Date('2026-11-20T03:04:05.678Z')
const inquiryOf = (reference: string): Inquiry => ({
  reference,
  amount: 10_000_000n,
  channel: 'bri',
  methodDetail: { type: 'virtual_account', bank: 'BRI' },
  startedAt,
  providerPaymentId: `T-${reference}`,
  methodData: null,
})

const transaction = (merchant_ref: string | null, status: string, secondsAfter = 0) => ({
  reference: 'T0001',
  merchant_ref,
  status,
  created_at: Math.floor(startedAt.getTime() / 1_000) + secondsAfter,
})
/** Serves the given lists of transactions, one per page. Each later page contains the last list again. */
function pages(...lists: object[][]): void {
  server.received.length = 0
  server.answers((response, { url = '' }) => {
    const number = Number(new URL(url, server.url).searchParams.get('page'))
    response.end(JSON.stringify({ success: true, message: '', data: lists[number - 1] ?? lists.at(-1) }))
  })
}
const full = (secondsAfter: number) => Array(50).fill(transaction('other', 'UNPAID', secondsAfter))
const unpaid = async (count = 10) =>
  [
    ...(await listUnpaid(
      account,
      Array.from({ length: count }, (_, n) => inquiryOf(`R${n}`)),
    )),
  ].sort()

describe('the Tripay adapter lists unpaid payments', () => {
  test('the list of unpaid orders contains only those requested orders that Tripay lists as unpaid', async () => {
    pages([
      transaction('R1', 'UNPAID'),
      transaction('R2', 'PAID'),
      transaction('R3', 'EXPIRED'),
      transaction('R4', 'UNPAID'),
      transaction(null, 'UNPAID'),
      transaction('stranger', 'UNPAID'),
    ])
    expect(await unpaid()).toEqual(['R1', 'R4'])
    expect(server.received.map(({ url }) => url)).toEqual([
      '/merchant/transactions?page=1&per_page=50&sort=desc',
    ])
  })

  test("spaces around references and statuses in Tripay's list are ignored, and malformed entries are skipped", async () => {
    const malformed = { ...transaction(null, 'UNPAID'), merchant_ref: { id: 'R2' } }
    pages([transaction(' R1 ', ' UNPAID '), malformed])
    expect(await unpaid()).toEqual(['R1'])
  })

  test('the list of unpaid orders omits any order that also has a paid transaction', async () => {
    pages([transaction('R1', 'UNPAID'), transaction('R1', 'PAID')])
    expect(await unpaid()).toEqual([])
  })

  test("Tripay's list is read back to the oldest order, within a limit on the number of pages", async () => {
    pages(full(0), full(-30), full(-120), [transaction('R1', 'UNPAID', -200)])
    expect(await unpaid()).toEqual([])
    expect(server.received).toHaveLength(3)
    pages(full(0))
    await unpaid()
    expect(server.received).toHaveLength(4)
    pages(full(0))
    await unpaid(5)
    expect(server.received).toHaveLength(3)
  })

  test('if Tripay returns an error instead of a list, the adapter throws this error', async () => {
    server.answers(response => response.end(JSON.stringify({ success: false, message: 'Invalid API Key' })))
    await expect(unpaid()).rejects.toThrow('Invalid API Key')
  })
})
