import { describe, expect, test } from 'vitest'
import { asked, idr, inquiry, order, reference, sentReference } from '../../../test/support/fake-acquirer.ts'
import { paymentCreated, qrCreated, vaCreated } from './messages.ts'
import { midtrans, type SnapAccount } from './profile.ts'
import { paymentAccepted, qrAccepted, queryQrBody, vaAccepted, vaName, vaStatusBody } from './translate.ts'

const account = { profile: midtrans, partnerServiceId: '70012', merchantId: 'G1' } as SnapAccount

describe('SNAP responses to charges', () => {
  test('a charge response without our reference is accepted as the response for the requested order', () => {
    const virtualAccountData = { virtualAccountNo: `   ${asked}` }
    expect(vaAccepted(vaCreated.parse({ virtualAccountData }), order(), 'BCA')).toEqual({
      providerPaymentId: asked,
      methodData: { type: 'virtual_account', bank: 'BCA', va_number: asked },
    })
    expect(qrAccepted(qrCreated.parse({ qrContent: '000201' }), order('qris'))).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'qris', qr_string: '000201', qr_image_url: '' },
    })
    const created = paymentCreated.parse({ webRedirectUrl: 'https://x/pay' })
    expect(paymentAccepted(created, order('gopay'), 'GoPay')).toEqual({
      providerPaymentId: reference,
      methodData: { type: 'e_wallet', wallet_type: 'GoPay', redirect_url: 'https://x/pay', deeplink: '' },
    })
  })

  test.each([idr('99999.00'), { value: '100000.00' }, { value: '100000.00', currency: 'USD' }])(
    "a charge response is rejected if its amount %j is not the order's amount in rupiah",
    totalAmount => {
      const created = vaCreated.parse({ virtualAccountData: { virtualAccountNo: asked, totalAmount } })
      expect(() => vaAccepted(created, order(), 'BCA')).toThrow(
        'it accepted the order with a different amount',
      )
    },
  )
})

test.each([
  ['n'.repeat(60), 'n'.repeat(30)],
  [`${'n'.repeat(29)} n`, 'n'.repeat(29)],
  ['  Siti  ', 'Siti'],
])('the customer name %j is trimmed and cut to 30 characters: %j', (name, sent) => {
  expect(vaName(name)).toBe(sent)
})

describe('a SNAP inquiry sends a virtual account number in two parts', () => {
  const given = (va_number: string) =>
    inquiry('bca', { methodData: { type: 'virtual_account', bank: 'BCA', va_number } })

  test.each([
    ['70012', '70012345', '   70012', '345'],
    ['70012', '9887001212345678', '98870012', '12345678'],
    ['', '9887001212345678', '98870012', '12345678'],
  ])(
    'with our BIN (prefix) %j, the account number %s is split into the partner service id %j and the customer number %j',
    (partnerServiceId, number, first, second) => {
      expect(vaStatusBody({ ...account, partnerServiceId }, given(number), sentReference)).toMatchObject({
        partnerServiceId: first,
        customerNo: second,
        virtualAccountNo: first + second,
      })
    },
  )
})

test.each([
  [null, undefined],
  [reference, undefined],
  ['A1', 'A1'],
])(
  "if we stored the ID %j for an order, a status inquiry about the order contains the acquirer's ID %j",
  (providerPaymentId, named) => {
    const body = queryQrBody(account, inquiry('qris', { providerPaymentId }), sentReference)
    expect((body as { originalReferenceNo?: string }).originalReferenceNo).toBe(named)
  },
)
