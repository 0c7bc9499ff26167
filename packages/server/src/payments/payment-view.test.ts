import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePayment, now } from '../../test/support/make.ts'
import { MAX_AMOUNT } from '../values/money.ts'
import { internalStatuses, type Payment, shownStatuses } from './payment.ts'
import { paymentView, viewPayment } from './payment-view.ts'

const moment = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
const cents = fc.bigInt({ min: 1n, max: MAX_AMOUNT })
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const words = fc.string({ unit: 'grapheme' })

const method = fc.constantFrom<Pick<Payment, 'methodType' | 'methodDetail' | 'methodData'>>(
  {
    methodType: 'virtual_account',
    methodDetail: { type: 'virtual_account', bank: 'BCA' },
    methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1' },
  },
  {
    methodType: 'qris',
    methodDetail: { type: 'qris' },
    methodData: { type: 'qris', qr_string: '', qr_image_url: 'https://example.com' },
  },
  {
    methodType: 'e_wallet',
    methodDetail: { type: 'e_wallet', wallet_type: 'GOPAY' },
    methodData: { type: 'e_wallet', wallet_type: 'GOPAY', redirect_url: 'https://example.com', deeplink: '' },
  },
  {
    methodType: 'over_the_counter',
    methodDetail: { type: 'over_the_counter', store: 'ALFAMART' },
    methodData: { type: 'over_the_counter', store_name: 'Alfamart', payment_code: '1' },
  },
)

const shown: fc.Arbitrary<Payment> = fc
  .record({
    status: fc.constantFrom(...shownStatuses),
    method,
    known: fc.boolean(),
    amount: cents,
    sum: cents,
    providerPaymentId: some(words),
    customerName: words,
    failureReason: some(words),
    items: fc.array(fc.record({ id: words, name: words, price: fc.nat(), quantity: fc.nat() })),
    expiresAt: moment,
    createdAt: moment,
    updatedAt: moment,
    paidAt: moment,
  })
  .map(({ method, known, sum, paidAt, ...rest }) =>
    makePayment({
      ...method,
      ...rest,
      ...(!known && { methodData: null }),
      ...(rest.status === 'paid' && { paidAt, amountPaid: sum }),
    }),
  )

describe('payments in API responses match the documented schema', () => {
  test('every payment in the API matches the published schema and survives a conversion to JSON and back', () => {
    fc.assert(
      fc.property(shown, payment => {
        const view = viewPayment(payment)
        expect(paymentView.parse(view)).toEqual(view)
        expect(JSON.parse(JSON.stringify(view))).toEqual(view)
      }),
    )
  })

  test("the API returns a payment's amounts in cents, without rounding", () => {
    fc.assert(
      fc.property(cents, cents, (amount, amountPaid) => {
        const view = viewPayment(makePayment({ status: 'paid', amount, amountPaid, paidAt: now }))
        expect([BigInt(view.amount), BigInt(view.amount_paid as number)]).toEqual([amount, amountPaid])
      }),
    )
  })

  test('the API representation of a payment has exactly the documented fields', () => {
    expect(Object.keys(viewPayment(makePayment())).sort()).toEqual(
      `amount amount_paid amount_refunded amount_reversed created_at currency customer_email customer_name customer_phone expires_at
       failure_reason id idempotency_key items method_data method_type mode paid_at payment_code provider
       provider_payment_id status tenant_id updated_at`.split(/\s+/),
    )
  })

  test('if no provider has accepted a payment, converting the payment to an API response throws an error', () => {
    for (const status of internalStatuses)
      expect(() => viewPayment(makePayment({ status }))).toThrow('which the API does not show')
  })
})
