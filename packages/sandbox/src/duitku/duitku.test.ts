import { expect, test } from 'vitest'
import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { findChannel } from './channels.ts'
import { duitku } from './duitku.ts'
import { newOrder } from './order.ts'

const PUBLIC_URL = 'http://sandbox.example'

function order(method: string, isNumberPending: (number: string) => boolean = () => false): Order {
  const channel = findChannel(method)
  if (!channel) throw new Error(method)
  const sandbox = { store: { isNumberPending } } as unknown as Sandbox
  const detail = {
    ...{ email: 'budi@example.com', productDetails: 'Shoes', additionalParam: '', merchantUserInfo: '' },
    returnUrl: 'https://shop.example/return?order=1',
  }
  const asked = {
    channel,
    reference: 'R',
    customer: 'Budi',
    rupiah: 44_000,
    lifeMinutes: 10,
    callbackUrl: '',
    detail,
  }
  return { ...newOrder(sandbox, 'D0001', asked, 0), seq: 1, returns: [] }
}

test('the sandbox never reuses the account number of a pending Duitku payment', () => {
  const taken: string[] = []
  const { number } = order('BR', candidate => taken.push(candidate) < 3)
  expect(number).toBe(taken[2])
})

test('the Duitku payment page shows the instructions for the chosen channel, such as a QR code', () => {
  const account = order('BR')
  expect(duitku.guide(account, PUBLIC_URL).lines).toEqual([{ label: 'BRI VA', value: account.number }])
  expect(duitku.guide(order('SP'), PUBLIC_URL)).toMatchObject({ lines: [], qr: expect.any(String) })
  const wallet = order('DA')
  expect(duitku.guide(wallet, PUBLIC_URL).link).toEqual({
    label: 'DANA page',
    url: `${PUBLIC_URL}/pay/${wallet.id}`,
  })
})

test('after a Duitku payment, the payer returns to the merchant’s page with the documented parameters', () => {
  const { returnUrl } = duitku.guide({ ...order('DA'), status: 'cancelled' }, PUBLIC_URL)
  expect(returnUrl).toMatch(
    /^https:\/\/shop\.example\/return\?order=1&merchantOrderId=R&resultCode=02&reference=D0001[0-9A-F]{15}$/,
  )
})
