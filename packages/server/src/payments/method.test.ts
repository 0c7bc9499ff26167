import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  channelAsSent,
  channelCodeOf,
  channelField,
  listedMethodTypes,
  type MethodDetail,
  methodData,
  methodDetail,
  methodNames,
  methodTypes,
  storeNameOf,
  viewMethodData,
} from './method.ts'

const details: { detail: MethodDetail; sent: string; channel: string }[] = [
  { detail: { type: 'virtual_account', bank: 'BCA' }, sent: 'BCA', channel: 'bca' },
  { detail: { type: 'qris' }, sent: 'qris', channel: 'qris' },
  { detail: { type: 'e_wallet', wallet_type: 'GoPay' }, sent: 'GoPay', channel: 'gopay' },
  { detail: { type: 'over_the_counter', store: 'ALFAMART' }, sent: 'ALFAMART', channel: 'alfamart' },
]

describe.each(details)('the payment method $detail.type', ({ detail, sent, channel }) => {
  test("a payment method's channel is stored as sent, but compared in lower case", () => {
    expect(channelAsSent(detail)).toBe(sent)
    expect(channelCodeOf(detail)).toBe(channel)
  })

  test('method_detail keeps its known fields as the merchant sent them and drops unknown fields', () => {
    expect(methodDetail.parse({ ...detail, extra: 1 })).toEqual(detail)
  })

  test("a payment method returns an empty `method_data` while the provider's instructions are unknown", () => {
    const shown = viewMethodData(detail, null)
    expect(methodData.parse(shown)).toEqual(shown)
    expect(shown).toMatchObject(detail)
  })

  test('channelField returns, for each payment method, the request field that selects the channel', () => {
    const field = channelField[detail.type].split('.')[1]
    expect(field === undefined ? 'qris' : detail[field as keyof MethodDetail]).toBe(sent)
  })
})

test("a payment method's channel is compared case-insensitively but stored as sent", () => {
  fc.assert(
    fc.property(fc.mixedCase(fc.constantFrom('bca', 'cimb', 'permata')), bank => {
      expect(channelCodeOf({ type: 'virtual_account', bank })).toBe(bank.toLowerCase())
      expect(channelAsSent({ type: 'virtual_account', bank })).toBe(bank)
    }),
  )
})

test('`store` is returned as the merchant sent it, and `store_name` is the same with and without instructions', () => {
  fc.assert(
    fc.property(fc.mixedCase(fc.constantFrom('alfamart', 'indomaret', 'alfamidi')), store => {
      const type = 'over_the_counter'
      const detail: MethodDetail = { type, store }
      const store_name = storeNameOf(store.toLowerCase())
      expect(viewMethodData(detail, null)).toEqual({ type, store, store_name, payment_code: '' })
      const instructions = { type, store_name, payment_code: '8127' } as const
      expect(viewMethodData(detail, instructions)).toEqual({ ...instructions, store })
    }),
  )
})

test.each([
  [{ type: 'virtual_account' }, ['bank']],
  [{ type: 'virtual_account', bank: '   ' }, ['bank']],
  [{ type: 'virtual_account', bank: 7 }, ['bank']],
  [{ type: 'e_wallet', bank: 'BCA' }, ['wallet_type']],
  [{ type: 'over_the_counter', store: 'x'.repeat(256) }, ['store']],
  [{ type: 'cardless_credit' }, ['type']],
  [{}, ['type']],
])('the method_detail %j is rejected, and the error names its invalid field', (detail, path) => {
  expect(methodDetail.safeParse(detail).error?.issues[0]?.path).toEqual(path)
})

test('cardless credit is listed as a payment method, but no payment can be created with it', () => {
  expect(listedMethodTypes).toEqual([...methodTypes, 'cardless_credit'])
  expect(Object.keys(methodNames)).toEqual(listedMethodTypes)
})
