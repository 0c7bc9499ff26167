// Sends provider callbacks in which one value was changed before the callback was signed. The signature is valid
// despite the change, so strict parsing must prevent the service from crediting money by mistake.

import fc from 'fast-check'
import { pino } from 'pino'
import { Client } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import { updateProviderAccount } from '../../src/provider-accounts/update-provider-account.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { verifyLedger } from '../../src/verification/verify-ledger.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'
import { leavesOf, mutationOf } from './message-mutation.ts'
import {
  type Message,
  ownPair,
  paidMessages,
  proves,
  type Signed,
  signed,
  statusWords,
} from './provider-messages.ts'
import { runOf, Tally } from './tally.ts'

const { cases, seed } = runOf('FUZZ_CALLBACKS', 60)
const providers = [...new Set(paidMessages.map(({ provider }) => provider))]
const tally = new Tally()
const errors: string[] = []

type Merchant = Awaited<ReturnType<typeof merchantWith>>
type Known = { shop: Merchant; credentials: Record<string, string> }
const merchants = new Map<string, Known>()
let service: TestApp
let client: Client

beforeAll(async () => {
  service = await testApp({ log: pino({ level: 'error' }, { write: line => void errors.push(line) }) })
  const { app, demo } = service
  for (const code of providers) {
    const shop = await merchantWith(app, demo, code)
    const { ours, issued } = demo.provider_accounts.find(({ id }) => id === shop.accountId) ?? {}
    const credentials = { ...ours, ...issued }
    if (code === 'snap') {
      credentials.provider_public_key = ownPair.publicKey
      const provider = app.providers.get(code) as AnyProvider
      await updateProviderAccount(app, null, provider, shop.accountId, { credentials })
    }
    merchants.set(code, { shop, credentials })
  }
  client = new Client(demo.base_url)
  atEnd(() => client.close())
})

/** The result of sending a provider callback. `answer` is the body of the service's response. */
type Told = {
  status: number
  answer: string
  payment: { status: string; amount_paid: number | null }
  sent: Signed
}

/**
 * Creates a payment with the template's amount and sends the provider's signed message about it. `forge` can
 * change the message before it is sent.
 */
async function tell(
  template: Message,
  message: unknown,
  forge: (sent: Signed) => Signed = sent => sent,
): Promise<Told> {
  const { shop, credentials } = merchants.get(template.provider) as Known
  const order = { amount: template.amountCents, ...methodFor(template.amountCents) }
  const { data: payment, text } = await shop.create(order)
  if (!payment) throw new Error(text)
  // In Midtrans' SNAP callbacks, the merchant's id must also be replaced, with the id of the test's merchant.
  const about = JSON.stringify(message)
    .replaceAll(template.reference, payment.payment_code)
    .replaceAll(/"merchantId":"G\d+"/g, `"merchantId":"${credentials.merchant_id}"`)
  const path = `/v1/callbacks/${template.provider}/${shop.accountId}${template.endpoint}`
  const sent = forge(signed(template, credentials, path, JSON.parse(about)))
  const { statusCode, body } = await client.request({ method: 'POST', path, ...sent })
  const answer = await body.text()
  const { payment_code } = payment
  await until('the callback is applied', async () => (await countWaiting(service.app.db, payment_code)) === 0)
  return { status: statusCode, answer, payment: (await shop.get(payment.id)).data, sent }
}

/** Returns QRIS for amounts up to Rp10,000,000 (the QRIS maximum), and a virtual account for larger amounts. */
const methodFor = (amountCents: number) =>
  amountCents <= 1_000_000_000
    ? { method_type: 'qris', method_detail: { type: 'qris' } }
    : { method_type: 'virtual_account', method_detail: { type: 'virtual_account', bank: 'BRI' } }

/**
 * Counts unprocessed callbacks that contain our payment reference. Callbacks without this reference are not counted,
 * because they are processed only after a minute, when the payment's charge can no longer be in flight.
 */
async function countWaiting(db: Db, paymentCode: string): Promise<number> {
  const { rows } = await db.raw(
    `select 1 from provider_callbacks where status = 'received' and position(:code in body) > 0`,
    { code: Buffer.from(paymentCode) },
  )
  return rows.length
}

/**
 * Returns the reason why a message does not prove that its payment was paid, or undefined if the message
 * proves it.
 */
function doubt({ provider }: Message, message: unknown, paidCents: number | null): string | undefined {
  const leaves = leavesOf(message)
  for (const [name, words] of Object.entries(proves[provider] ?? {})) {
    const said = leaves.filter(({ path }) => name === path.at(-1) || path.join('.') === name)
    // Surrounding spaces, a number instead of a string, and a blank value are accepted, because they do not
    // contradict the words that prove a payment.
    const other = said.find(({ value }) => !['', ...words].includes(String(value ?? '').trim()))
    if (other) return `${name} is ${JSON.stringify(other.value)}`
  }
  const sums = leaves.map(({ value }) => Math.round(Number(value) * 100))
  return sums.includes(paidCents ?? -1) ? undefined : `the message contains no amount of ${paidCents} cents`
}

type Changed = { template: Message; message: unknown }

describe.concurrent.each(providers)('%s', code => {
  const templates = paidMessages.filter(({ provider }) => provider === code)
  const changed: fc.Arbitrary<Changed> = fc.constantFrom(...templates).chain(template =>
    fc.record({
      template: fc.constant(template),
      message: mutationOf(JSON.parse(template.text), statusWords),
    }),
  )
  /**
   * Calls `property` (a property-based test) with random messages. If the test fails, throws the first
   * failure, reduced to a minimal message.
   */
  async function check(runs: number, property: (each: Changed) => Promise<void>): Promise<void> {
    const { failed, errorInstance } = await fc.check(fc.asyncProperty(changed, property), {
      seed,
      numRuns: Math.ceil(runs / providers.length),
    })
    if (failed) throw new Error(`FUZZ_SEED=${seed}: ${errorInstance}`)
  }

  test.each(templates)(
    'the message $name that the provider published marks its payment as paid',
    async template => {
      const { status, payment } = await tell(template, JSON.parse(template.text))
      expect([status, payment.status, payment.amount_paid]).toEqual([200, 'paid', template.amountCents])
    },
  )

  test('a mutated callback credits only money that its fields report as paid, and causes no server error', () =>
    check(cases, async ({ template, message }) => {
      const { status, answer, payment, sent } = await tell(template, message)
      tally.count(code, `${status} ${payment.status}`)
      const why = payment.status === 'paid' ? doubt(template, message, payment.amount_paid) : undefined
      // An unreadable message may lead to an error in the provider's format. An error in our API's format, however,
      // means that the service itself failed.
      const isFault = status >= 500 && answer.includes('"error"')
      if (isFault || why !== undefined)
        throw new Error(`${status}, ${payment.status}, ${why}, after ${template.name} as\n${sent.body}`)
    }))

  test('a provider callback with an invalid signature credits no money', () =>
    check(cases / 5, async ({ template }) => {
      const { status, payment } = await tell(template, JSON.parse(template.text), forged)
      tally.count(`${code}, forged`, `${status} ${payment.status}`)
      if (status !== 401 || payment.status !== 'pending')
        throw new Error(`${status}, ${payment.status}, after ${template.name} forged`)
    }))
})

/** Returns an invalid signature with the same length and format as the valid one. */
function forged({ body, headers }: Signed): Signed {
  const names = ['signature', 'x-signature', 'x-callback-signature', 'x-callback-token']
  const wrong = (text: string) => text.slice(0, -3) + (text.endsWith('AA=') ? 'BB=' : 'AA=')
  return {
    body: body.replace(/("signature_key":")[0-9a-f]{4}/, '$1beef'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, names.includes(name) ? wrong(value) : value]),
    ),
  }
}

test('after all mutated callbacks, ledger verification finds no difference and the log has no unexpected error', async () => {
  const differences: unknown[] = []
  const tell = { onDifference: (each: unknown) => void differences.push(each), onPage: () => {} }
  const { entries } = await verifyLedger(service.app, [], tell)
  // The service logs a line for each callback that could not be parsed. These lines are expected, because some of the
  // test's messages are unreadable.
  const faults = errors.filter(line => !line.includes('verified callback could not be parsed'))
  expect([differences, faults]).toEqual([[], []])
  expect(entries).toBeGreaterThan(0)
  tally.keep('callbacks', { seed, faults: 0 })
})
