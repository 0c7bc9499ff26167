// Sets up a payment and the parts of the service that refund unexpected money (money that matches no open payment).
// Tests define the provider's responses.

import type { Db } from '../../src/db/db.ts'
import { firstPage } from '../../src/db/list-order.ts'
import type { RefundRequest as Request } from '../../src/inbox/decision.ts'
import { refundMoney } from '../../src/inbox/refund-money.ts'
import { listUnexpectedMoney } from '../../src/inbox/unexpected-money-list.sql.ts'
import { accountNameOf } from '../../src/ledger/account.ts'
import { findBalance, listEntriesOfPayment } from '../../src/ledger/ledger.sql.ts'
import { findPaymentInBatch } from '../../src/payments/payment.sql.ts'
import { moneyReceivedEvent, type Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { listRefundsOfPayments } from '../../src/payments/record/refund.sql.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { MoneyReturn, RefundInquiryResult, Refund as SentRefund } from '../../src/providers/provider.ts'
import type { RefundOutcome } from '../../src/providers/refund.ts'
import type { RefundTerms } from '../../src/providers/refund-terms.ts'
import { insertPendingPayment, makeTenant, now } from './make.ts'
import { recordingApp } from './recording-app.ts'

/** The payer's bank account. */
export const bankAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }

const anyRecord = { status: null, kind: null, provider: null, mode: null }

export function refundScene(db: Db) {
  const scene = {
    ...recordingApp(db),
    /** The refunds that the service requested from the provider. */
    asked: [] as SentRefund[],
    respond: (): RefundOutcome | Promise<RefundOutcome> => ({ type: 'succeeded', id: 'rf-1' }),
    inquire: (): RefundInquiryResult => ({ status: { type: 'unknown', reason: 'no answer' }, returns: [] }),
    /** The refund terms for every channel. Undefined if the provider cannot make refunds. */
    terms: { amounts: 'partial' } as RefundTerms | undefined,
    payment: undefined as unknown as Payment,
  }
  scene.state.provider = {
    get methods() {
      return midtrans.methods.map(method => ({
        ...method,
        channels: method.channels.map(({ refund: _, ...channel }) => ({
          ...channel,
          ...(scene.terms && { refund: scene.terms }),
        })),
      }))
    },
    refunds: {
      refund: async (_account: unknown, request: SentRefund) => {
        scene.asked.push(request)
        return scene.respond()
      },
      inquireRefund: async () => scene.inquire(),
    },
  } as never

  const key = () => ({ tenantId: scene.payment.tenantId, paymentId: scene.payment.id })
  const record = (report: object) =>
    db.transaction(tx =>
      recordEvents(tx, [{ ...key(), cause: 'callback', ...report } as never], scene.state.at),
    )
  const records = () =>
    listUnexpectedMoney(db, { ...anyRecord, paymentId: scene.payment.id }, firstPage(), 100).then(all =>
      all.toReversed(),
    )
  const first = async () => {
    const [money] = await records()
    if (!money) throw new Error('there is no unexpected money')
    return money
  }
  return Object.assign(scene, {
    key,
    record,
    records,
    first,
    /** Creates a payment of Rp 1,000 for a new tenant. */
    async begin(): Promise<void> {
      scene.payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: 100_000n })
      scene.asked = []
    },
    /** Records received money as if the provider had reported it. */
    receive: (amountPaid: bigint, receipt: string) =>
      record({
        event: (current: Payment) =>
          moneyReceivedEvent(current, {
            ...{ amountPaid, paidAt: now, reference: scene.payment.paymentCode, receipt },
            providerPaymentId: 'p',
          }),
      }),
    /** Simulates the provider reporting a refund or chargeback. */
    report: (returned: Partial<MoneyReturn> & Pick<MoneyReturn, 'amount'>) =>
      record({
        event: () => undefined,
        reportedReturns: {
          reference: scene.payment.paymentCode,
          returns: [{ kind: 'refund', id: 'rf-1', status: 'succeeded', ...returned }],
        },
      }),
    /** Refunds a record of unexpected money as the Owner, by default the payment's first record. */
    giveBack: async (request: Partial<Request> = {}, id?: string) =>
      refundMoney(scene.app, null, id ?? (await first()).id, {
        ...{ amount: undefined, bankAccount: undefined, reason: 'wants it back' },
        ...request,
      }),
    refunds: () => listRefundsOfPayments(db, [key()]),
    balance: () => findBalance(db, scene.payment.tenantId, 'live'),
    current: async () =>
      (await findPaymentInBatch(db, scene.payment.tenantId, scene.payment.id, null)) as Payment,
    entries: async () =>
      (await listEntriesOfPayment(db, scene.payment.tenantId, scene.payment.id)).map(each => [
        each.entryType,
        each.amount,
      ]),
    /**
     * Returns the non-zero account balances in the tenant's ledger, without the balance of the account
     * `merchant`.
     */
    async book(): Promise<Record<string, bigint>> {
      const { rows } = await db.raw<{ rows: { id: string; balance: bigint }[] }>(
        'select account_id as id, balance from book_accounts where tenant_id = ? and balance <> 0',
        [scene.payment.tenantId],
      )
      const nameOf = (id: string) => (id === scene.payment.providerAccountId ? 'provider' : accountNameOf(id))
      return Object.fromEntries(rows.map(({ id, balance }) => [nameOf(id), balance]))
    },
    async webhooks(): Promise<string[]> {
      const { rows } = await db.raw('select type from webhook_events where payment_id = ? order by number', [
        scene.payment.id,
      ])
      return rows.map(({ type }: { type: string }) => type)
    },
  })
}
