// Changes one field in each message published by a provider and signs the message again. A message that proves a
// payment must still prove it, or be rejected, so that the provider sends it again. No other message may become
// proof of a payment.

import { describe, expect, test } from 'vitest'
import { anInquiry } from '../../test/support/charge.ts'
import { fakeServer } from '../../test/support/fake-server.ts'
import { ANOTHER_VALUE, type Change, changesOf } from '../../test/support/field-changes.ts'
import {
  ACCOUNT_ID,
  bodyOf,
  callbackOf,
  contractDataOf,
  messageOf,
  type Notification,
  notificationsOf,
} from '../../test/support/provider-fixtures.ts'
import { type Received, receive } from '../../test/support/receive-callback.ts'
import type { ContractData, PaidAnswer } from './contract-data.ts'
import { type AnyProvider, type CallbackUpdate, type InquiryResult, ProviderError } from './provider.ts'
import { providers } from './registry.ts'

const server = await fakeServer()

/**
 * What can happen after a test has changed a message:
 *
 * - `kept`: the changed message proves what the original message proved: the same payment, or no payment.
 * - `unreadable`: the changed message cannot be read, so the callback is not acknowledged, or the inquiry is retried.
 * - `inquired`: the changed callback is acknowledged, and a status inquiry determines the payment's outcome.
 * - `rejected`: the signature is invalid, so the response is HTTP 401.
 * - `lost`: the changed message no longer proves the payment, and nothing else will report it.
 * - `gained`: the changed message proves a payment that the original message did not prove.
 */
type Outcome = 'kept' | 'unreadable' | 'inquired' | 'rejected' | 'lost' | 'gained'
const outcomes: Record<Outcome, number> = {
  kept: 0,
  unreadable: 0,
  inquired: 0,
  rejected: 0,
  lost: 0,
  gained: 0,
}
let messages = 0

/**
 * Lists the changes to a message after which the outcome `rejected` or `gained` is correct, each with its reason. After
 * any other change, these outcomes fail the test.
 */
const exceptions = [
  {
    provider: 'midtrans',
    outcome: 'rejected',
    fields: ['order_id', 'status_code', 'gross_amount'],
    reason: 'a signed field that is neither text nor a number has no text form that could be signed',
  },
  {
    provider: 'snap',
    outcome: 'rejected',
    fields: ['merchantId'],
    reason: 'the message then names another merchant, and all merchants may share one key',
  },
  {
    provider: 'duitku',
    outcome: 'rejected',
    fields: ['merchantCode', 'amount', 'merchantOrderId'],
    reason: 'a signed field is missing or names another project',
  },
  {
    provider: 'xendit',
    outcome: 'gained',
    fields: ['payment_details', 'verification_result', 'sender_verification'],
    reason:
      'most payments have no verification of the sender, so a message without it reports an ordinary payment',
  },
]
const isExcepted = (provider: string, outcome: Outcome, { path }: Change): boolean =>
  exceptions.some(
    each =>
      each.provider === provider && each.outcome === outcome && path.some(name => each.fields.includes(name)),
  )

/**
 * `decides` is true if what the message reports about the payment depends on the changed field, or on a field inside
 * the changed object.
 */
type Case = Change & { decides: boolean }

function casesOf({ deciding }: ContractData, message: unknown): Case[] {
  const holdsDeciding = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, below]) => deciding.includes(name) || holdsDeciding(below))
  return changesOf(message)
    .map(change => {
      const value = change.path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], message)
      return { ...change, decides: change.path.some(name => deciding.includes(name)) || holdsDeciding(value) }
    })
    .filter(({ kind, decides }) => kind !== ANOTHER_VALUE || !decides)
}

const paidBy = (update: CallbackUpdate | undefined) =>
  update?.fact.type === 'paid' ? update.fact : undefined

/**
 * Returns whether the changed message reports the same order and amount as the genuine message. The changed message may
 * lack the time and the receipt ID.
 */
function isSamePayment(genuine: CallbackUpdate, changed: CallbackUpdate, { kind, decides }: Case): boolean {
  const [before, after] = [paidBy(genuine), paidBy(changed)]
  if (after === undefined || after.amountPaid !== before?.amountPaid) return false
  const isSameReceipt = after.receipt === undefined || after.receipt === before.receipt
  // If a message lacks our reference, the service finds the payment by the provider's id.
  const isSameOrder = changed.reference === genuine.reference || (decides && changed.reference === null)
  return (isSameReceipt || kind === ANOTHER_VALUE) && isSameOrder && changed.providerPaymentId !== ''
}

function outcomeOfCallback(genuine: Received, changed: Received, its: Case): Outcome {
  const [before, after] = [genuine, changed].map(each => ('updates' in each ? each.updates[0] : undefined))
  if (!changed.verified) return 'rejected'
  if (!before || !paidBy(before)) return paidBy(after) ? 'gained' : 'kept'
  if ('unreadable' in changed) {
    const isLeft = JSON.stringify(its.message).includes(before.reference ?? '')
    const isCandidate = changed.unreadable.candidates.includes(before.reference ?? '')
    return its.decides && (isCandidate || !isLeft) ? 'unreadable' : 'lost'
  }
  if (after?.fact.type === 'unproven') return its.decides ? 'inquired' : 'lost'
  return after && isSamePayment(before, after, its) ? 'kept' : 'lost'
}

function outcomeOfAnswer(genuine: Answer, changed: Answer, its: Case): Outcome {
  // In this test, `not_reported` means that the adapter does not recognize the status in the response.
  if (changed === 'unreadable' || changed === 'not_reported') return its.decides ? 'unreadable' : 'lost'
  if (typeof genuine === 'string' || typeof changed === 'string') return 'lost'
  return isSamePayment(genuine, changed, its) ? 'kept' : 'lost'
}

/**
 * Counts the outcome of a changed message if this outcome is allowed. Otherwise, returns a text that describes the
 * change (`its`) and the outcome.
 */
function breach(provider: string, its: Case, outcome: Outcome): string[] {
  const isBreach = outcome === 'lost' || outcome === 'gained' || outcome === 'rejected'
  if (isBreach && !isExcepted(provider, outcome, its))
    return [`${its.path.join('.') || 'the message'} is ${its.kind}: ${outcome}`]
  outcomes[outcome]++
  return []
}

type Reader = Notification & { read(message: unknown): Received }
type Answer = InquiryResult | 'unreadable'

describe.each([...providers.values()])(
  'if one field of a message changes, the adapter of the provider $code neither loses a payment nor reports an additional payment',
  async provider => {
    const contract = await contractDataOf(provider.code)
    const published = notificationsOf(provider.code, contract).map(each => readerOf(provider, contract, each))
    const readers = published.filter(each => {
      const genuine = each.read(messageOf(each))
      return genuine.verified && 'updates' in genuine
    })

    test('each adapter verifies and parses every notification published by its provider', () => {
      const own = published.filter(({ name }) => name.startsWith(`${provider.code}/`))
      expect(own.length).toBeGreaterThan(0)
      // DOKU's SNAP messages have a different signature, so the DOKU adapter reads them instead of the SNAP adapter.
      const others = own.filter(each => !readers.includes(each) && !each.name.includes('-doku-'))
      expect(others).toEqual([])
    })

    test.each(readers)(
      "[M19] if one field of the provider's message $name is changed, the adapter does not lose the reported payment, and reports no additional payment",
      each => {
        const message = messageOf(each)
        const genuine = each.read(message)
        messages++
        const breaches = casesOf(contract, message).flatMap(its =>
          breach(provider.code, its, outcomeOfCallback(genuine, each.read(its.message), its)),
        )
        expect(breaches).toEqual([])
      },
    )

    test.each(contract.paidAnswers)(
      "[M19] a paid payment is not lost if one field of the provider's inquiry response $name changes",
      async paid => {
        const ask = askerOf(provider, contract, paid)
        const genuine = await ask(paid.message)
        expect(genuine).toMatchObject({ fact: { type: 'paid', amountPaid: paid.inquiry.amount } })
        messages++
        const breaches: string[] = []
        for (const its of casesOf(contract, paid.message)) {
          const outcome = outcomeOfAnswer(genuine, await ask(its.message), its)
          breaches.push(...breach(provider.code, its, outcome))
        }
        expect(breaches).toEqual([])
      },
    )
  },
)

test('in more than 10,000 single-field changes to messages that providers published, no payment is lost', async ({
  annotate,
}) => {
  const changes = Object.values(outcomes).reduce((sum, each) => sum + each)
  await annotate(`${messages} messages, ${changes} changes: ${JSON.stringify(outcomes)}`)
  expect(outcomes.lost).toBe(0)
  expect(messages).toBeGreaterThanOrEqual(60)
  expect(changes).toBeGreaterThanOrEqual(10_000)
  for (const { reason } of exceptions) expect(reason).not.toBe('')
})

function readerOf(provider: AnyProvider, contract: ContractData, notification: Notification): Reader {
  const { credentials, sign } = contract.signer(notification.body)
  const account = accountOf(provider, credentials)
  return {
    ...notification,
    read(message) {
      const callback = callbackOf(provider.code, notification, bodyOf(notification, message))
      return receive(provider, account, sign(callback, account))
    },
  }
}

const accountOf = (provider: AnyProvider, credentials: object, baseUrl: string | null = null) => ({
  id: ACCOUNT_ID,
  mode: 'test' as const,
  credentials: provider.credentials.parse(credentials),
  baseUrl,
})

function askerOf(provider: AnyProvider, contract: ContractData, { inquiry, answer }: PaidAnswer) {
  const account = accountOf(provider, contract.signer('').credentials, server.url)
  const asked = anInquiry(inquiry)
  const ask = async (message: unknown): Promise<Answer> => {
    server.answers((response, { url }) => response.end(JSON.stringify(answer(url, message))))
    return provider.inquire(account, asked).catch(error => {
      if (!(error instanceof ProviderError)) throw error
      // On a busy machine, a connection may break before the response arrives. The request is then sent
      // again.
      return error.cause !== undefined || error.kind === 'unavailable' ? ask(message) : 'unreadable'
    })
  }
  return ask
}
