// Sets up a merchant and a simulated provider for tests of the Owner's inbox, which lists unexpected money (money that
// matches no open payment). The provider sends any message that a test defines, with a valid signature.

import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import type { App } from '../../src/app.ts'
import { signatureOf } from '../../src/providers/midtrans/signature.ts'
import { testApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { managersOf } from './management-api.ts'
import { type Answer, http, merchantOf, receiver, simulate, until } from './merchant.ts'

export const REASON = 'agreed by phone'

/** A payer's bank account, for payments that the provider cannot refund, such as those by virtual account. */
const payersAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }

/** How long callback-inquiries.ts waits between the first and second status inquiry about a payment. */
const FIRST_PAUSE_MS = 2_000

export type Paid = { id: string; payment_code: string }

export async function inboxBench(overrides: Partial<App> = {}) {
  const { app, demo, databaseUrl, advance } = await testApp({ overrides })
  const managers = await managersOf(demo)
  const { owner } = managers
  const shop = merchantOf(demo)
  const hook = await receiver(demo)
  atEnd(() => hook.close())
  const { rows } = await app.db.raw(
    "select id from provider_accounts where provider_code = 'midtrans' and mode = 'test'",
  )
  const accountId: string = rows[0].id
  const loaded = await app.accountOf(accountId)
  if (!loaded) throw new Error('the demo has no Midtrans account in test mode')
  const { server_key } = loaded.account.credentials as { server_key: string }

  /** Waits until every received callback has been processed. */
  const applied = () =>
    until('the callbacks are applied', async () => {
      const { rows } = await app.db.raw("select from provider_callbacks where status = 'received'")
      return rows.length === 0
    })

  /**
   * Sends a signed callback `times` times, as the provider would. By default, the callback reports the payment as
   * settled.
   */
  async function tell(order_id: string, fields: Record<string, string> = {}, times = 5): Promise<void> {
    const message = {
      order_id,
      status_code: '200',
      gross_amount: '100000.00',
      transaction_id: randomUUID(),
      transaction_status: 'settlement',
      payment_type: 'bank_transfer',
      ...fields,
    }
    const body = { ...message, signature_key: signatureOf(message, server_key) }
    for (let n = 0; n < times; n++) {
      const answer = await http('POST', `${demo.base_url}/v1/callbacks/midtrans/${accountId}`, { body })
      expect(answer.status).toBe(200)
    }
    await applied()
  }

  const messagesAbout = new Map<string, number>()
  /**
   * Advances the clock past the delay before the next status inquiry about a payment. The delay doubles after each
   * inquiry, as callback-inquiry-timing.test.ts verifies.
   */
  function endPause({ id }: Paid): void {
    const messages = messagesAbout.get(id) ?? 0
    messagesAbout.set(id, messages + 1)
    if (messages > 0) advance(FIRST_PAUSE_MS * 2 ** (messages - 1))
  }

  const created = async (): Promise<Paid> => (await shop.create()).data
  async function simulated(payment: Paid, outcome: string, options: Parameters<typeof simulate>[3] = {}) {
    endPause(payment)
    await simulate(demo, payment, outcome, options)
    await applied()
  }
  async function paid(amount = 10_000_000): Promise<Paid> {
    const payment = await created()
    await simulated(payment, 'paid', { amount, copies: 5 })
    return payment
  }

  const recordsOf = async ({ id }: Paid) =>
    (await owner('GET', `/v1/unexpected-money?payment_id=${id}`)).data.items
  async function recordOf(payment: Paid) {
    const records = await recordsOf(payment)
    expect(records).toHaveLength(1)
    return records[0]
  }

  /**
   * Returns how many callbacks of a payment have each status. The first callback has the status `ignored`, because it
   * reports the payment as pending, which changes nothing.
   */
  async function callbacksOf({ id }: Paid): Promise<Record<string, number>> {
    const { items } = (await owner('GET', `/v1/provider-callbacks?payment_id=${id}`)).data
    const counts: Record<string, number> = {}
    for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }

  /**
   * Waits for `count` webhooks about a payment and verifies their signatures. For each webhook, returns its type and,
   * if it contains one, the change to the merchant's balance.
   */
  async function toldOf(payment: Paid, count: number) {
    await until(`${count} webhooks of the payment arrive`, () => hook.of(payment).length >= count)
    const verifier = new Webhook(hook.secret)
    return hook.of(payment).map(({ raw, headers }) => {
      const { type, ledger_entry } = verifier.verify(raw, headers) as Answer['data']
      return ledger_entry ? [type, ledger_entry.entry_type, ledger_entry.amount] : [type]
    })
  }

  const decide = (id: string, verb: string, body: object = {}) =>
    owner('POST', `/v1/unexpected-money/${id}/${verb}`, { reason: REASON, ...body })

  /** Sends the Owner's decision to refund a record of unexpected money by bank transfer. */
  const refund = (id: string, body: object = {}) =>
    decide(id, 'refund', { bank_account: payersAccount, ...body })

  return {
    ...{ app, demo, databaseUrl, advance, managers, owner, shop, accountId },
    ...{ applied, tell, created, simulated, paid, recordsOf, recordOf, callbacksOf, toldOf },
    decide,
    refund,
    /** Refunds unexpected money by bank transfer, as the Owner, and records that the transfer succeeded. */
    async giveBack(id: string, body: object = {}): Promise<Answer['data']> {
      const { data } = await refund(id, body)
      await owner('POST', `/v1/refunds/${data.refund_id}/resolve`, {
        ...{ outcome: 'succeeded', bank_reference: 'TRF-1' },
      })
      return data
    },
    entriesOf: async ({ id }: Paid) =>
      (await shop.ledger(id)).data.map((entry: Answer['data']) => [entry.entry_type, entry.amount]),
    statusOf: async ({ id }: Paid) => (await shop.get(id)).data.status,
    timelineOf: async ({ id }: Paid) =>
      (await shop.call('GET', `/v1/payments/${id}/timeline`)).data.map((entry: Answer['data']) => [
        entry.from,
        entry.to,
        entry.cause,
        entry.detail,
      ]),
    lastAct: async () => (await owner('GET', '/v1/audit-log?limit=1')).data.items[0],
  }
}
