import { describe, expect, test } from 'vitest'
import { UnreadableError } from '../lenient-fields.ts'
import { updateOf } from './webhook.ts'

describe("the Xendit adapter determines a payment's status from webhooks of older Xendit products", () => {
  const charge = {
    id: 'ewc_1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    charge_amount: 100_000,
    capture_amount: 90_000,
    updated: '2026-11-20T03:06:00Z',
  }
  const qr = {
    id: 'qrpy_1',
    qr_id: 'qr_1',
    reference_id: 'GP261120-7Q4M2ZK8XW',
    status: 'SUCCEEDED',
    currency: 'IDR',
    amount: 100_000,
    created: '2026-11-20T03:06:00Z',
  }
  const flatQr = {
    event: 'qr.payment',
    id: 'qrpy_1',
    qr_code: { id: 'qr_1', external_id: 'GP261120-7Q4M2ZK8XW' },
    status: 'COMPLETED',
    amount: 100_000,
    created: '2026-11-20T03:06:00Z',
  }
  const accountPaid = {
    callback_virtual_account_id: 'va_1',
    payment_id: 'p-1',
    external_id: 'GP261120-7Q4M2ZK8XW',
    amount: 100_000,
    transaction_timestamp: '2026-11-20T03:06:00.000Z',
  }
  const storePaid = {
    fixed_payment_code_id: 'fpc_1',
    payment_id: 'p-1',
    external_id: 'GP261120-7Q4M2ZK8XW',
    retail_outlet_name: 'ALFAMART',
    status: 'COMPLETED',
    amount: 100_000,
    transaction_timestamp: '2026-11-20T03:06:00.000Z',
  }
  const paidAt = new Date('2026-11-20T03:06:00Z')
  test.each<[string, unknown, string, object]>([
    [
      'a wallet, with the captured amount',
      { event: 'ewallet.capture', data: charge },
      'ewc_1',
      { type: 'paid', amountPaid: 9_000_000n, receipt: 'ewc_1', paidAt },
    ],
    [
      'a wallet, with the charged amount if nothing was captured',
      { event: 'ewallet.capture', data: { ...charge, capture_amount: null } },
      'ewc_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'ewc_1', paidAt },
    ],
    [
      'a QR code',
      { event: 'qr.payment', data: qr },
      'qr_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'qrpy_1', paidAt },
    ],
    [
      'a QR code, in the flat form',
      flatQr,
      'qr_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'qrpy_1', paidAt },
    ],
    [
      'a fixed virtual account',
      accountPaid,
      'va_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'p-1', paidAt },
    ],
    [
      'a fixed payment code',
      storePaid,
      'fpc_1',
      { type: 'paid', amountPaid: 10_000_000n, receipt: 'p-1', paidAt },
    ],
  ])(
    'a webhook about a payment by %s reports the paid amount, the receipt ID and the payment time',
    (_, message, providerPaymentId, fact) => {
      expect(updateOf(message)).toEqual({ reference: 'GP261120-7Q4M2ZK8XW', providerPaymentId, fact })
    },
  )

  test.each<[string, object]>([
    ['a QR code, in the flat form', flatQr],
    ['a fixed virtual account', accountPaid],
    ['a fixed payment code', storePaid],
  ])('if a Xendit webhook about %s contains no currency, its amount is read as rupiah', (_, message) => {
    const withCurrency = (currency: unknown) => updateOf({ ...message, currency })
    for (const rupiah of ['IDR', ' IDR ', '', null])
      expect(withCurrency(rupiah)).toMatchObject({ fact: { type: 'paid' } })
    expect(withCurrency('USD')).toMatchObject({ fact: { type: 'nothing' } })
    for (const odd of [0, {}, ['IDR']]) expect(() => withCurrency(odd)).toThrow(UnreadableError)
  })

  test.each<[string, unknown, object]>([
    [
      'a capture that failed',
      { event: 'ewallet.capture', data: { ...charge, status: 'FAILED', failure_code: 'USER_DECLINED' } },
      { type: 'failed', reason: 'USER_DECLINED' },
    ],
    [
      'a pending capture',
      { event: 'ewallet.capture', data: { ...charge, status: 'PENDING' } },
      { type: 'pending' },
    ],
    [
      'a void, after which a paid payment stays paid',
      { event: 'ewallet.void', data: { ...charge, status: 'VOIDED' } },
      { type: 'nothing' },
    ],
    ['a void that claims success', { event: 'ewallet.void', data: charge }, { type: 'unproven' }],
    ['an unpaid QR code', { event: 'qr.payment', data: { ...qr, status: 'FAILED' } }, { type: 'nothing' }],
    ['a flat QR code of unknown status', { ...flatQr, status: 'INACTIVE' }, { type: 'unproven' }],
    ['a store payment that is settling', { ...storePaid, status: 'SETTLING' }, { type: 'unproven' }],
    ['a payment in dollars', { ...accountPaid, currency: 'USD' }, { type: 'nothing' }],
  ])('a webhook about %s is not read as a payment', (_, message, fact) => {
    expect(updateOf(message)).toMatchObject({ fact })
  })

  const { callback_virtual_account_id: id, payment_id: _, ...made } = accountPaid
  const created = { ...made, id, account_number: '8808', status: 'ACTIVE', is_closed: true }

  test('a webhook about the creation of a virtual account reports no payment', () => {
    expect(updateOf(created)).toBe('a fixed virtual account was created')
  })

  test.each([
    { callback_virtual_account_id: null },
    { payment_id: 'p-1' },
    { id: null },
    { account_number: undefined },
    { is_closed: undefined },
    { status: 'COMPLETED' },
  ])(
    'a webhook about a newly created virtual account counts as unreadable if it contains %j, because it could then be a report of a payment',
    fields => {
      expect(() => updateOf({ ...created, ...fields })).toThrow(UnreadableError)
    },
  )

  test.each([null, '', ' '])(
    'if a webhook has no reference (%j), its payment is found by the id of the Xendit product, such as a virtual account',
    external_id => {
      for (const [message, providerPaymentId] of [
        [{ ...flatQr, qr_code: { ...flatQr.qr_code, external_id } }, 'qr_1'],
        [{ ...accountPaid, external_id }, 'va_1'],
        [{ ...storePaid, external_id }, 'fpc_1'],
        [{ event: 'qr.payment', data: { ...qr, reference_id: external_id } }, 'qr_1'],
        [{ event: 'ewallet.capture', data: { ...charge, reference_id: external_id } }, 'ewc_1'],
      ] as const)
        expect(updateOf(message)).toMatchObject({
          reference: null,
          providerPaymentId,
          fact: { type: 'paid' },
        })
    },
  )

  test.each<[unknown, Date | undefined]>([
    [' 2026-11-20T03:06:00Z ', paidAt],
    [['2026-11-20T03:06:00Z'], undefined],
    [1_795_143_960, undefined],
    [null, undefined],
  ])('a webhook with the payment time %j reports %s as the time of the payment', (time, at) => {
    for (const message of [
      { ...flatQr, created: time },
      { ...accountPaid, transaction_timestamp: time },
      { ...storePaid, transaction_timestamp: time },
      { event: 'qr.payment', data: { ...qr, created: time } },
      { event: 'ewallet.capture', data: { ...charge, updated: time } },
    ])
      expect((updateOf(message) as { fact: { paidAt?: Date } }).fact.paidAt).toEqual(at)
  })
})
