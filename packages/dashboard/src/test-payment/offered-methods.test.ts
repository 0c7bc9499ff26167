import { expect, test } from 'vitest'
import { offeredMethods } from './offered-methods.ts'

const bca = { code: 'bca', name: 'BCA' }
const bni = { code: 'bni', name: 'BNI' }
const providers = [
  {
    code: 'midtrans',
    name: 'Midtrans',
    methods: [
      { type: 'virtual_account' as const, name: 'Virtual Account', channels: [bni, bca] },
      {
        type: 'cardless_credit' as const,
        name: 'Cardless Credit',
        channels: [{ code: 'akulaku', name: 'Akulaku' }],
      },
    ],
  },
  {
    code: 'xendit',
    name: 'Xendit',
    methods: [
      { type: 'virtual_account' as const, name: 'Virtual Account', channels: [bca] },
      { type: 'qris' as const, name: 'QRIS', channels: [{ code: 'qris', name: 'QRIS' }] },
    ],
  },
]

test('the test payment form lists a channel once even if several providers offer it', () => {
  expect(offeredMethods(providers)).toEqual([
    { type: 'virtual_account', channels: [bni, bca] },
    { type: 'qris', channels: [{ code: 'qris', name: 'QRIS' }] },
  ])
})
