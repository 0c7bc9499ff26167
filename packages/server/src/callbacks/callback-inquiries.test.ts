// Tests when a callback causes a status inquiry, when the inquiry must wait, and when the callback uses another
// inquiry's result.

import { beforeEach, describe, expect, test } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { later, makePayment, now } from '../../test/support/make-payment.ts'
import { createLog } from '../logging/log.ts'
import type { Payment } from '../payments/payment.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import {
  type Inquiry,
  type InquiryResult,
  type MoneyReturn,
  ProviderError,
  RateLimitedError,
} from '../providers/provider.ts'
import { callbackInquiries, reserveInquiry } from './callback-inquiries.ts'
import type { NeededInquiry } from './callback-message.ts'

const MINUTE_MS = 60_000
let clock: Date
let inquired: Inquiry[]
let response: (inquiry: Inquiry) => Promise<InquiryResult>
let inquiries: ReturnType<typeof callbackInquiries>
const loadedOf = (id: string): LoadedAccount => ({
  provider: {
    ...midtrans,
    inquire: async (_: unknown, inquiry: Inquiry) => {
      inquired.push(inquiry)
      return response(inquiry)
    },
  },
  account: { id, mode: 'live', credentials: {}, baseUrl: null },
  callbackRules: { previousCredentials: [], callbackSources: [], inquireAbove: null },
})
const app = {
  clock: () => clock,
  health: alwaysHealthy,
  log: createLog('silent'),
  accountOf: async (id: string) => loadedOf(id),
}
beforeEach(() => {
  clock = now
  inquired = []
  response = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact: { type: 'pending' } })
  inquiries = callbackInquiries(app)
})

const payment = makePayment()
/**
 * Returns the status inquiry that a callback needs. `receivedMs` is when the callback is received, in
 * milliseconds after the test's current time.
 */
function neededInquiry(
  receivedMs: number,
  { of = payment, reference = payment.paymentCode, id = 'p-1' } = {},
): NeededInquiry {
  const update = {
    reference,
    providerPaymentId: id,
    fact: { type: 'unproven', reason: 'not signed' } as const,
  }
  return {
    message: {
      callback: { id: 'c-1', providerAccountId: of.providerAccountId, receivedAt: later(receivedMs) },
      ...{ provider: 'midtrans', mode: 'live', update, needsConfirmation: false },
    },
    update,
    payment: of,
  }
}
const ask = (each: NeededInquiry) => inquiries.inquire(each, () => {})
/** Sets the test's clock to `ms` milliseconds after the fixed time `now`. */
const at = (ms: number) => {
  clock = later(ms)
}

test("a status inquiry caused by a callback contains the callback's order reference or provider ID", async () => {
  const second = { ...payment, attempt: 2 }
  const asking = neededInquiry(0, { of: second, reference: payment.paymentCode, id: 'p-9' })
  const result = await ask(asking)
  expect(inquired).toMatchObject([
    { reference: payment.paymentCode, providerPaymentId: 'p-9', methodData: null },
  ])
  expect(result).toMatchObject({
    result: { fact: { type: 'pending' } },
    inquired: { attempt: 1, providerPaymentId: 'p-9' },
  })
})

describe('callbacks about the same payment can share the result of one status inquiry', () => {
  test("a callback shares an inquiry's result only if received at least two seconds before the inquiry started", async () => {
    at(10_000)
    const result = await ask(neededInquiry(0))
    expect(inquiries.isAnswered(neededInquiry(8_000))).toBe(true)
    expect(await ask(neededInquiry(8_000))).toBe(result)
    expect(inquiries.isAnswered(neededInquiry(8_001))).toBe(false)
    expect(inquired).toHaveLength(1)
  })

  test('until the next status inquiry about a payment is allowed, its callbacks use the previous result', async () => {
    at(10_000)
    await ask(neededInquiry(0))
    at(11_999)
    expect(inquiries.isAnswered(neededInquiry(0))).toBe(true)
    at(12_000)
    expect(inquiries.isAnswered(neededInquiry(0))).toBe(false)
  })

  test('a chargeback callback does not use the result of an earlier inquiry sent without this chargeback', async () => {
    const about = (...returns: MoneyReturn[]): NeededInquiry => {
      const asking = neededInquiry(0)
      return { ...asking, update: { ...asking.update, returns } }
    }
    const refund = { kind: 'refund', id: 'rf-1', amount: 1n, status: 'failed' } as const
    const chargeback = { ...refund, kind: 'chargeback', id: 'd-1' } as const
    at(10_000)
    await ask(about(refund, chargeback))
    expect(inquired).toMatchObject([{ reportedReturns: [refund, chargeback] }])
    for (const known of [about(), about(chargeback), about({ ...refund, id: 'rf-2' })])
      expect(inquiries.isAnswered(known)).toBe(true)
    expect(inquiries.isAnswered(about({ ...chargeback, id: 'd-2' }))).toBe(false)
  })

  test.each<[string, Partial<Payment>]>([
    ['has changed since', { transitionCount: 2 }],
    ['has another id at the provider', { providerPaymentId: 'p-2' }],
  ])(
    'a callback does not reuse the result of an earlier status inquiry if the payment %s',
    async (_, changes) => {
      at(10_000)
      await ask(neededInquiry(0))
      expect(inquiries.isAnswered(neededInquiry(0, { of: { ...payment, ...changes } }))).toBe(false)
    },
  )

  test("an inquiry's result for one charge attempt is never used for another attempt or payment", async () => {
    at(10_000)
    await ask(neededInquiry(0))
    expect(inquiries.isAnswered(neededInquiry(0, { reference: `${payment.paymentCode}-2` }))).toBe(false)
    expect(inquiries.waitMs(neededInquiry(0, { reference: `${payment.paymentCode}-2` }))).toBe(0)
    expect(inquiries.waitMs(neededInquiry(0, { of: makePayment() }))).toBe(0)
  })

  test('after an unanswered status inquiry, callbacks about the payment send no inquiry during a pause', async () => {
    at(10_000)
    response = async () => {
      throw new ProviderError('unknown', 'no answer within 10 s')
    }
    expect(await ask(neededInquiry(0))).toBe('no answer')
    const moved = neededInquiry(9_999, { of: { ...payment, transitionCount: 5 } })
    expect(inquiries.isAnswered(moved)).toBe(true)
    expect(await ask(moved)).toBe('no answer')
    expect(inquired).toHaveLength(1)
  })

  test('if an internal error interrupts a status inquiry, the callback that started it fails', async () => {
    at(10_000)
    const broken = callbackInquiries({ ...app, accountOf: async () => undefined })
    await expect(broken.inquire(neededInquiry(0), () => {})).rejects.toThrow(payment.providerAccountId)
    expect(await broken.inquire(neededInquiry(0), () => {})).toBe('no answer')
  })

  test("if the provider's rate limit rejects a status inquiry, `onRateLimit` is called with the retry delay", async () => {
    response = async () => {
      throw new RateLimitedError(7_000)
    }
    const limited: number[] = []
    expect(await inquiries.inquire(neededInquiry(0), ms => limited.push(ms))).toBe('no answer')
    expect(limited).toEqual([7_000])
  })
})

describe('after a status inquiry about a payment, the next inquiry about it is sent only after a pause', () => {
  test('the pauses between status inquiries about a payment double, from two seconds to five minutes', async () => {
    expect(inquiries.waitMs(neededInquiry(0))).toBe(0)
    let atMs = 0
    const pauses: number[] = []
    for (let n = 0; n < 10; n++) {
      at(atMs)
      await ask(neededInquiry(atMs))
      const waitMs = inquiries.waitMs(neededInquiry(atMs))
      pauses.push(waitMs)
      atMs += waitMs
      at(atMs)
      expect(inquiries.waitMs(neededInquiry(atMs))).toBe(0)
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map(seconds => seconds * 1_000))
  })

  test('after ten minutes without an inquiry about a payment, the pauses start at two seconds again', async () => {
    await ask(neededInquiry(0))
    at(2_000)
    await ask(neededInquiry(2_000))
    at(2_000 + 10 * MINUTE_MS - 1)
    await ask(neededInquiry(2_000 + 10 * MINUTE_MS - 1))
    expect(inquiries.waitMs(neededInquiry(0))).toBe(8_000)
    at(2_000 + 20 * MINUTE_MS - 1)
    await ask(neededInquiry(2_000 + 20 * MINUTE_MS - 1))
    expect(inquiries.waitMs(neededInquiry(0))).toBe(2_000)
  })

  test('while a status inquiry is in flight, a second inquiry about the same payment must wait', async () => {
    const result = Promise.withResolvers<InquiryResult>()
    response = () => result.promise
    at(10_000)
    const first = ask(neededInquiry(0))
    at(60_000)
    expect(inquiries.waitMs(neededInquiry(0))).toBe(2_000)
    expect(inquiries.isAnswered(neededInquiry(0))).toBe(false)
    result.resolve('absent')
    await first
    expect(inquiries.waitMs(neededInquiry(0))).toBe(0)
  })
})

test('the cache of recent status inquiries holds at most ten thousand payments and removes the oldest first', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    neededInquiry(0, { of: { ...payment, id: `payment-${n}` } }),
  )
  for (const each of many) await ask(each)
  const [first, second, third] = many as [NeededInquiry, NeededInquiry, NeededInquiry]
  expect(inquiries.waitMs(first)).toBe(2_000)
  // After this second inquiry about the first payment, the cache's oldest entry is that of the second
  // payment.
  at(3_000)
  await ask(first)
  await ask(neededInquiry(0))
  expect(inquiries.waitMs(first)).toBe(4_000)
  at(1_000)
  expect(inquiries.waitMs(second)).toBe(0)
  expect(inquiries.waitMs(third)).toBe(1_000)
})

describe('a status inquiry requires a free inquiry slot and unused rate limit of the provider account', () => {
  const reserve = (account: LoadedAccount, places = accountSlots(2), limits = inquiryLimits(() => clock)) =>
    reserveInquiry(account, { places, limits, now: clock })

  test('a status inquiry for a callback starts only if the provider account has a free inquiry slot', () => {
    const places = accountSlots(2)
    expect(reserve(loadedOf('a'), places)).toBe(0)
    expect(places.freeSlots()).toBe(1)
    expect(reserve(loadedOf('a'), places)).toBe(2_000)
    expect(places.freeSlots()).toBe(1)
  })

  test("a status inquiry for a callback waits until its provider account's rate-limit pause ends", () => {
    const limits = inquiryLimits(() => clock)
    limits.pause('a', 7_000)
    at(3_000)
    const places = accountSlots(2)
    expect(reserve(loadedOf('a'), places, limits)).toBe(4_000)
    expect(places.freeSlots()).toBe(2)
  })

  test("a status inquiry that would exceed the account's share for callbacks occupies no slot", () => {
    const loaded = loadedOf('a')
    loaded.provider = { ...loaded.provider, inquiryLimits: { perMinute: { live: 20, test: 20 } } }
    const [places, limits] = [accountSlots(100), inquiryLimits(() => clock)]
    let taken = 0
    while (reserve(loaded, places, limits) === 0) taken += 1
    expect(taken).toBe(1)
    expect(places.freeSlots()).toBe(99)
    // No inquiry was sent, so the provider account does not count as unresponsive and keeps its number of
    // inquiry slots.
    expect(places.freeSlotsOfAccounts()).toEqual([{ accountId: 'a', room: 49 }])
    // The background job can still send an inquiry, because scheduled inquiries have their own share of the account's
    // rate limit.
    expect(limits.take(loaded.account, loaded.provider.inquiryLimits, 'sweep')).toBe(true)
  })
})
