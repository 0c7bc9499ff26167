import { describe, expect, test } from 'vitest'
import { asked, idr, inquiry, reference, sentReference } from '../../../test/support/fake-acquirer.ts'
import { withoutDashes } from '../../payments/payment-code.ts'
import type { Inquiry, ProviderUpdate } from '../provider.ts'
import { vaStatus } from './messages.ts'
import { vaUpdate } from './order-update.ts'
import { midtrans, type SnapAccount } from './profile.ts'

const account = { profile: midtrans, partnerServiceId: '70012' } as SnapAccount
const payment = { paymentRequestId: 'P1', paidAmount: idr('100000.00') }
const paid = { paymentFlagStatus: '00', ...payment }

/**
 * Returns what `vaUpdate` reads from a SNAP status response. By default, this response contains our reference
 * and account number. Fields in `data` replace these values.
 */
const wordOf = (data: object, about: Inquiry = inquiry(), additionalInfo?: unknown) =>
  vaUpdate(
    account,
    about,
    'BCA',
    vaStatus.parse({
      virtualAccountData: { virtualAccountNo: `   ${asked}`, inquiryRequestId: sentReference, ...data },
      additionalInfo,
    }),
  )
const factOf = (data: object, about?: Inquiry) => (wordOf(data, about) as ProviderUpdate).fact

const another = '9887001212345678'
const given = { type: 'virtual_account', bank: 'BCA', va_number: another } as const

describe('a SNAP response about a virtual account is matched to our order by our reference or the account number', () => {
  test.each<[string, object]>([
    ['by our reference, although the acquirer assigned another number,', { virtualAccountNo: another }],
    ['by our number, although it lacks our reference,', { inquiryRequestId: undefined }],
    ['by our number, although it has the id of another inquiry,', { inquiryRequestId: 'other' }],
    [
      'by its trxId, although the acquirer assigned another number,',
      { inquiryRequestId: undefined, trxId: sentReference, virtualAccountNo: another },
    ],
    ['by our reference, although it has no number,', { virtualAccountNo: undefined }],
  ])('a response that matches our order %s is accepted as a response about this order', (_, data) => {
    expect(wordOf({ ...paid, ...data })).toMatchObject({ reference, fact: { type: 'paid', receipt: 'P1' } })
  })

  test.each<[unknown, string | undefined]>([
    [{ trxId: ` ${sentReference} ` }, '00'],
    [{ trxId: sentReference, paymentFlagStatus: '00' }, undefined],
    [null, '00'],
    ['additional', '00'],
    [{ trxId: {} }, '00'],
  ])(
    'a response with the additionalInfo %j and the status %j is accepted as a response about our order',
    (additionalInfo, paymentFlagStatus) => {
      const word = wordOf({ ...payment, paymentFlagStatus }, inquiry(), additionalInfo)
      expect(word).toMatchObject({ reference, fact: { type: 'paid' } })
    },
  )

  test('a SNAP response with our reference is accepted even without the assigned account number', () => {
    const about = inquiry('bca', { methodData: given })
    expect(factOf({ ...paid, virtualAccountNo: undefined }, about)).toMatchObject({ type: 'paid' })
    expect(factOf({ ...paid, virtualAccountNo: another }, about)).toMatchObject({ type: 'paid' })
  })

  test.each<[string, object]>([
    ['is padded with zeros', { virtualAccountNo: `000${another}` }],
    ['lacks its first digits', { virtualAccountNo: another.slice(4) }],
    ['has a prefix', { virtualAccountNo: `009${another}` }],
    ['is the one we requested', { virtualAccountNo: asked }],
    ['is different, and the response has our trxId', { inquiryRequestId: 'other', trxId: sentReference }],
  ])(
    "a SNAP response that contains our order's reference is accepted for this order, even if the account number in the response %s",
    (_, data) => {
      const about = inquiry('bca', { methodData: given })
      expect(factOf({ ...paid, virtualAccountNo: '1', ...data }, about)).toMatchObject({ type: 'paid' })
    },
  )

  test.each([`00070012${asked.slice(5)}`, `0${asked}`, ` 0 ${asked} `])(
    'a SNAP response without a reference concerns our order if its account number %j is ours, with or without padding',
    virtualAccountNo => {
      const about = inquiry('bca', { methodData: { ...given, va_number: asked } })
      for (const each of [inquiry(), about])
        expect(factOf({ ...paid, inquiryRequestId: undefined, virtualAccountNo }, each)).toMatchObject({
          type: 'paid',
        })
    },
  )

  const other = 'GP261120-0000000000'
  test.each<[string, object, unknown?]>([
    ['trxId', { trxId: other }],
    ['trxId without dashes', { trxId: withoutDashes(other) }],
    ['trxId, for a later charge attempt', { trxId: `${reference}-2` }],
    ['trxId, beside our inquiryRequestId', { trxId: other, inquiryRequestId: sentReference }],
    ['additionalInfo.trxId', {}, { trxId: other }],
    ['additionalInfo.trxId, beside our trxId', { trxId: sentReference }, { trxId: other }],
    ['inquiryRequestId', { inquiryRequestId: other }],
    ['inquiryRequestId, beside our trxId', { trxId: sentReference, inquiryRequestId: other }],
  ])(
    'a SNAP response with our account number and another order in %s is rejected',
    (_, data, additionalInfo) => {
      for (const about of [
        inquiry(),
        inquiry('bca', { methodData: { ...given, va_number: asked }, providerPaymentId: asked }),
      ])
        expect(() =>
          wordOf(
            { ...paid, virtualAccountNo: asked, inquiryRequestId: undefined, ...data },
            about,
            additionalInfo,
          ),
        ).toThrow('the response is for a different order')
    },
  )

  test.each([another, `1${asked}`, `${asked}0`, asked.slice(1)])(
    'a SNAP response without a reference is not proof of payment if it contains the account number %s instead of our account number',
    virtualAccountNo => {
      const data = { ...paid, inquiryRequestId: undefined, virtualAccountNo }
      expect(wordOf(data)).toBe('not_reported')
      const about = inquiry('bca', { methodData: { ...given, va_number: asked } })
      expect(() => wordOf(data, about)).toThrow('the response is for a different order')
    },
  )

  test('a SNAP response that contains neither our reference nor our account number is not proof of payment', () => {
    expect(wordOf({ ...paid, inquiryRequestId: 'other', virtualAccountNo: another })).toBe('not_reported')
    expect(wordOf({ ...paid, inquiryRequestId: undefined, virtualAccountNo: undefined })).toBe('not_reported')
  })
})

describe('virtual accounts at SNAP', () => {
  const noNumber = { virtualAccountNo: undefined }
  const reason = (english: unknown) => ({ paymentFlagReason: { english } })

  test.each<[object, string]>([
    [paid, 'paid'],
    [{ ...paid, totalAmount: 7 }, 'paid'],
    [{ ...paid, ...noNumber }, 'paid'],
    [{ ...payment, ...noNumber }, 'paid'],
    [{ ...paid, ...reason('Sukses') }, 'paid'],
    [{ ...payment, ...reason('Successful') }, 'paid'],
    [{ ...payment, ...reason(' Success ') }, 'paid'],
    [{ ...payment, ...reason({}) }, 'paid'],
    [{ paymentFlagStatus: '03' }, 'pending'],
    [{ paymentFlagStatus: '03', ...reason('Pending') }, 'pending'],
    [{}, 'pending'],
    [reason('Pending'), 'pending'],
  ])('a response about a virtual account with the fields %j is read as %s', (data, type) => {
    expect(factOf(data).type).toBe(type)
  })

  test.each<object>([
    noNumber,
    { ...noNumber, ...reason('Success') },
    { ...payment, ...reason('Gagal') },
    { paymentRequestId: 'P1' },
    { paidAmount: idr('100000.00') },
  ])(
    'a response about a virtual account with the fields %j proves no status, so the inquiry returns `not_reported`',
    data => {
      expect(wordOf(data)).toBe('not_reported')
    },
  )

  test.each([{}, [], true])(
    'a SNAP response with the invalid status %j is unreadable, because an invalid status must not count as missing',
    status => {
      expect(() => wordOf({ ...payment, paymentFlagStatus: status })).toThrow(
        'paymentFlagStatus cannot be read',
      )
    },
  )

  test('a pending virtual account has instructions only if the response contains its account number', () => {
    expect(factOf({ paymentFlagStatus: '03', virtualAccountNo: another })).toEqual({
      type: 'pending',
      methodData: given,
    })
    expect(wordOf({ paymentFlagStatus: '03', ...noNumber })).toEqual({
      reference,
      providerPaymentId: asked,
      fact: { type: 'pending' },
    })
  })
})
