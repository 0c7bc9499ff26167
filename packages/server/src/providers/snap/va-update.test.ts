import { describe, expect, test } from 'vitest'
import { asked, idr, inquiry, reference, sentReference } from '../../../test/support/fake-acquirer.ts'
import type { Inquiry, ProviderUpdate } from '../provider.ts'
import { vaStatus } from './messages.ts'
import { vaUpdate } from './order-update.ts'
import { midtrans, type SnapAccount } from './profile.ts'

const account = { profile: midtrans, partnerServiceId: '70012' } as SnapAccount
const payment = { paymentRequestId: 'P1', paidAmount: idr('100000.00') }
const paid = { paymentFlagStatus: '00', ...payment }

/**
 * Converts a status response. By default, the response contains our reference and account number; `data` can
 * replace these values.
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

describe('a SNAP response about a virtual account counts as a response about our order', () => {
  test.each<[string, object]>([
    ['by our reference, although the acquirer assigned another number,', { virtualAccountNo: another }],
    ['by our number, although it lacks our reference,', { inquiryRequestId: undefined }],
    ['by our number, although it has the id of another inquiry,', { inquiryRequestId: 'other' }],
    [
      'by its trxId, although the acquirer assigned another number,',
      { inquiryRequestId: undefined, trxId: sentReference, virtualAccountNo: another },
    ],
    ['by our reference, although it has no number,', { virtualAccountNo: undefined }],
  ])('a response that matches %s is about our order', (_, data) => {
    expect(wordOf({ ...paid, ...data })).toMatchObject({ reference, fact: { type: 'paid', receipt: 'P1' } })
  })

  test.each<[unknown, string | undefined]>([
    [{ trxId: ` ${sentReference} ` }, '00'],
    [{ trxId: sentReference, paymentFlagStatus: '00' }, undefined],
    [null, '00'],
    ['additional', '00'],
    [{ trxId: {} }, '00'],
  ])(
    'a response with the additionalInfo %j and the status %j is about our order',
    (additionalInfo, paymentFlagStatus) => {
      const word = wordOf({ ...payment, paymentFlagStatus }, inquiry(), additionalInfo)
      expect(word).toMatchObject({ reference, fact: { type: 'paid' } })
    },
  )

  test('a SNAP response with our reference but no account number counts as a response for our order, even if the acquirer previously assigned a number', () => {
    const about = inquiry('bca', { methodData: given })
    expect(factOf({ ...paid, virtualAccountNo: undefined }, about)).toMatchObject({ type: 'paid' })
    expect(factOf({ ...paid, virtualAccountNo: another }, about)).toMatchObject({ type: 'paid' })
  })

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
  ])('a virtual account whose response has %j is read as %s', (data, type) => {
    expect(factOf(data).type).toBe(type)
  })

  test.each<object>([
    noNumber,
    { ...noNumber, ...reason('Success') },
    { ...payment, ...reason('Gagal') },
    { paymentRequestId: 'P1' },
    { paidAmount: idr('100000.00') },
  ])(
    'a response about a virtual account with %j does not prove any status, so the inquiry returns `not_reported`',
    data => {
      expect(wordOf(data)).toBe('not_reported')
    },
  )

  test.each([{}, [], true])(
    'a SNAP response is unreadable if its status is %j, because this must not count as a missing status',
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
