// Sets up a challenged payment (in fraud review, or partly paid) and the operator's decisions on it. Tests define the
// provider's responses.

import type { Db } from '../../src/db/db.ts'
import { findBalance } from '../../src/ledger/ledger.sql.ts'
import { findPaymentInBatch } from '../../src/payments/payment.sql.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../../src/payments/payment.ts'
import { type Resolution, resolvePayment } from '../../src/payments/resolve-payment.ts'
import type { AnyProvider, Inquiry, InquiryResult } from '../../src/providers/provider.ts'
import { newId } from '../../src/values/id.ts'
import { insertPendingPayment, later, makeTenant } from './make.ts'
import { recordingApp } from './recording-app.ts'

export function decisionScene(db: Db) {
  const owner = { tenantId: newId(), userId: newId() }
  const scene = {
    ...recordingApp(db),
    tenantId: '',
    /** What the service sent to the provider, such as `inquire GP261120-…`. */
    asked: [] as string[],
    /** How the provider reacts when the service sends it the decision on a challenged payment. */
    settle: async (): Promise<void> => {},
    inquire: async ({ reference }: Inquiry): Promise<InquiryResult> => ({
      ...{ reference, providerPaymentId: 'p-1' },
      fact: { type: 'challenged', reason: 'held by fraud detection' },
    }),
  }
  const { settle, inquire } = scene
  const happens = ({ id }: Payment, event: PaymentEvent) =>
    scene.app.recordInBatch({ tenantId: scene.tenantId, paymentId: id, event, cause: 'callback' })
  const answers = (fact: Extract<InquiryResult, object>['fact']): void => {
    scene.inquire = async ({ reference }) => ({ reference, providerPaymentId: 'p-1', fact })
  }
  return Object.assign(scene, {
    owner,
    happens,
    /** Makes the provider respond to status inquiries with `fact`, the reported status of the payment. */
    answers,
    /** Creates a tenant, and resets the provider's responses. */
    async begin(): Promise<void> {
      Object.assign(scene, recordingApp(db), { asked: [], settle, inquire, tenantId: await makeTenant(db) })
      scene.state.provider = {
        decideChallenge: (async (_: unknown, { reference }: Inquiry, verdict: string) => {
          scene.asked.push(`${verdict} ${reference}`)
          await scene.settle()
        }) as NonNullable<AnyProvider['decideChallenge']>,
        inquire: (async (_: unknown, inquiry: Inquiry) => {
          scene.asked.push(`inquire ${inquiry.reference}`)
          return scene.inquire(inquiry)
        }) as AnyProvider['inquire'],
      }
    },
    /**
     * Creates a payment and records its partial payments. Each partial payment has an amount and, optionally, the
     * provider's id for the received money. A status inquiry confirms the last partial payment.
     */
    async underpaid(...parts: [bigint, string?][]): Promise<Payment> {
      const payment = await insertPendingPayment(db, { tenantId: scene.tenantId, amount: 1_000n })
      for (const [amountPaid, receipt] of parts)
        await happens(
          payment,
          moneyReceivedEvent(payment, {
            ...{ amountPaid, paidAt: later(-60_000), reference: payment.paymentCode },
            ...(receipt !== undefined && { receipt }),
          }),
        )
      const [amountPaid, receipt] = parts.at(-1) ?? [0n]
      answers({ type: 'paid', amountPaid, ...(receipt !== undefined && { receipt }) })
      return payment
    },
    resolve: ({ id }: { id: string }, resolution: Partial<Resolution> & Pick<Resolution, 'decision'>) =>
      resolvePayment(scene.app, owner, id, {
        ...{ reason: 'agreed by phone', withoutConfirmation: false },
        ...resolution,
      }),
    stored: async ({ id }: Payment): Promise<Payment> =>
      (await findPaymentInBatch(db, scene.tenantId, id, null)) as Payment,
    balance: () => findBalance(db, scene.tenantId, 'live'),
    audited: async ({ id }: Payment) =>
      (
        await db.raw(
          'select actor_user_id, tenant_id, action, before, after from audit_log where subject_id = ?',
          [id],
        )
      ).rows,
  })
}
