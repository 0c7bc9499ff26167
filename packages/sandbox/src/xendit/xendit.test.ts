import { expect, test } from 'vitest'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { findChannel } from './channels.ts'
import { notificationOf } from './notification.ts'
import { newOrder, type Product } from './order.ts'
import { xendit } from './xendit.ts'

const PUBLIC_URL = 'http://sandbox.example'
const nobody = { find: () => undefined }

function order(channel: string, product: Product = 'v3', echoed: Record<string, unknown> = {}): Order {
  const store = { isNumberPending: () => false }
  const sandbox = { merchants: nobody, store } as unknown as Sandbox
  const found = findChannel(channel)
  if (!found) throw new Error(channel)
  const asked = { product, channel: found, reference: 'R', customer: 'Budi', rupiah: 44_000, echoed }
  return { ...newOrder(sandbox, 'xnd_development_x', asked, Date.now()), seq: 1, returns: [] }
}

test('a new Xendit payment never gets the account number of a pending payment', () => {
  const taken: string[] = []
  const store = {
    isNumberPending: (number: string) => {
      taken.push(number)
      return taken.length < 3
    },
  }
  const channel = findChannel('BNI_VIRTUAL_ACCOUNT')
  if (!channel) throw new Error('no BNI')
  const sandbox = { merchants: nobody, store } as unknown as Sandbox
  const asked = { product: 'v3', channel, reference: 'R', customer: '', rupiah: 1, echoed: {} } as const
  expect(newOrder(sandbox, 'xnd_development_x', asked, 0).number).toBe(taken[2])
})

test.each(['v3', 'v2', 'virtual_account', 'qr_code', 'qr_code_2022', 'ewallet'] as const)(
  'the Xendit product %s sends no webhook for a pending order',
  product => {
    const channel = { ewallet: 'DANA', qr_code: 'QRIS', qr_code_2022: 'QRIS' }[product as string]
    const pending = order(channel ?? 'BRI_VIRTUAL_ACCOUNT', product, { metadata: null })
    expect(notificationOf(pending, 'http://merchant.example', PUBLIC_URL, {})).toBeUndefined()
  },
)

test('Xendit webhooks are retried six times, and each delay is twice as long as the previous one', () => {
  expect(xendit.retryPausesMs.map(pause => pause / 60_000)).toEqual([1, 2, 4, 8, 16, 32])
})

test('the Xendit payment page shows the account number, payment code or QR code with which the payer pays', () => {
  const account = order('BNI_VIRTUAL_ACCOUNT')
  expect(xendit.guide(account, PUBLIC_URL)).toEqual({
    lines: [{ label: 'Virtual account (BNI)', value: account.number }],
  })
  const store = order('ALFAMART')
  expect(xendit.guide(store, PUBLIC_URL).lines).toEqual([
    { label: 'Payment code (ALFAMART)', value: store.number },
  ])
  expect(xendit.guide(order('QRIS'), PUBLIC_URL)).toMatchObject({ lines: [], qr: expect.any(String) })
})

test.each([
  ['v3', { channel_properties: { success_return_url: 'https://shop.example/ok' } }],
  [
    'v2',
    {
      payment_method: {
        ewallet: { channel_properties: { success_return_url: 'https://shop.example/ok' } },
      },
    },
  ],
  ['ewallet', { channel_properties: { success_redirect_url: 'https://shop.example/ok' } }],
] as const)(
  'if a Xendit wallet payment has the product %s, the payer pays on a payment page and then returns to the shop',
  (product, echoed) => {
    const wallet = order('DANA', product, echoed)
    expect(xendit.guide(wallet, PUBLIC_URL)).toEqual({
      lines: [],
      link: { label: 'DANA page', url: `${PUBLIC_URL}/pay/${wallet.id}` },
      returnUrl: 'https://shop.example/ok',
    })
  },
)

test.each([
  ['paid', 'https://shop.example/ok'],
  ['failed', 'https://shop.example/no'],
  ['cancelled', 'https://shop.example/left'],
] as const)('the payer of a Xendit wallet payment that is %s is sent to the URL %s', (status, returnUrl) => {
  const wallet = order('DANA', 'v3', {
    channel_properties: {
      success_return_url: 'https://shop.example/ok',
      failure_return_url: 'https://shop.example/no',
      cancel_return_url: 'https://shop.example/left',
    },
  })
  expect(xendit.guide({ ...wallet, status }, PUBLIC_URL).returnUrl).toBe(returnUrl)
})
