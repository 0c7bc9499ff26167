import { expect, test } from 'vitest'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { findChannel } from './channels.ts'
import { newOrder } from './order.ts'
import { tripay } from './tripay.ts'

const PUBLIC_URL = 'http://sandbox.example'
const noMerchants = { find: () => undefined }

function order(
  method: string,
  returnUrl: string | null = null,
  isNumberPending: (number: string) => boolean = () => false,
): Order {
  const channel = findChannel(method)
  if (!channel) throw new Error(method)
  const sandbox = { merchants: noMerchants, store: { isNumberPending } } as unknown as Sandbox
  const detail = { email: 'budi@example.com', phone: null, callbackUrl: null, returnUrl, items: [] }
  const asked = { channel, reference: 'R', customer: 'Budi', rupiah: 44_000, expiresAt: 0, detail }
  return { ...newOrder(sandbox, 'DEV-key', asked, 0), seq: 1, returns: [] }
}

test('a new Tripay payment never gets the virtual account number of a payment that is still pending', () => {
  const taken: string[] = []
  const { number } = order('BRIVA', null, candidate => taken.push(candidate) < 3)
  expect(number).toBe(taken[2])
})

test('a Tripay callback is retried three times, two minutes apart', () => {
  expect(tripay.retryPausesMs).toEqual([120_000, 120_000, 120_000])
})

test('the Tripay payment page shows what the payer needs to pay', () => {
  const account = order('BRIVA')
  expect(tripay.guide(account, PUBLIC_URL)).toEqual({
    lines: [{ label: 'BRI Virtual Account', value: account.number }],
  })
  const store = order('ALFAMART')
  expect(tripay.guide(store, PUBLIC_URL).lines).toEqual([
    { label: 'Alfamart', value: store.number },
    { label: 'Fee on top', value: 'Rp 3.500' },
  ])
  expect(tripay.guide(order('QRIS'), PUBLIC_URL)).toEqual({ lines: [], qr: expect.any(String) })
  const wallet = order('DANA', 'https://shop.example/ok')
  expect(tripay.guide(wallet, PUBLIC_URL)).toEqual({
    lines: [],
    link: { label: 'DANA page', url: `${PUBLIC_URL}/pay/${wallet.id}` },
    returnUrl: 'https://shop.example/ok',
  })
})
