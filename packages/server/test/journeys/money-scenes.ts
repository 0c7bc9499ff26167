// Prepares the data that the API examples about refunds, fees and double-entry ledgers need
// (example-scenes.ts).

import type { Demo } from '../../src/demo/demo.ts'
import { exampleId } from '../../src/openapi/example-parts.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import type { TestApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { http } from '../support/merchant.ts'

type Stage = {
  real: Record<string, string>
  auth: { key: string }
  asOwner(method: string, path: string, body?: object): Promise<unknown>
}

const bankAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
const bcaRule = {
  ...{ method_type: 'virtual_account', channel: 'bca' },
  ...{ percent_bps: 70, fixed: 400_000, tax_bps: 1_100 },
}
const withFees = ({ real, asOwner }: Stage) =>
  asOwner('PUT', `/v1/tenants/${real[exampleId(10)]}/fee-schedule`, { rules: [bcaRule] })

export const feeScenes = <Scene extends Stage>(paid: (scene: Scene) => Promise<unknown>) => ({
  getOwnFeeSchedule: withFees,
  previewOwnFee: withFees,
  getFeeSchedule: withFees,
  previewTenantFee: withFees,
  async reportFees(scene: Scene) {
    await withFees(scene)
    await paid(scene)
  },
})

export function refundScenes<Scene extends Stage>(demo: Demo, paid: (scene: Scene) => Promise<unknown>) {
  async function refunded(scene: Scene): Promise<void> {
    await paid(scene)
    const { data } = await http('POST', `${demo.base_url}/v1/payments/${scene.real[exampleId(1)]}/refunds`, {
      auth: scene.auth.key,
      headers: { 'x-idempotency-key': 'refund-1001' },
      body: {
        amount: 2_000_000,
        reason: 'one book was missing',
        bank_account: bankAccount,
      },
    })
    scene.real[exampleId(33)] = data.id
  }
  return {
    createRefund: paid,
    listPaymentRefunds: refunded,
    listTenantPaymentRefunds: refunded,
    listRefunds: refunded,
    getRefund: refunded,
    resolveRefund: refunded,
  }
}

/**
 * Creates a live payment with fees, pays it, and requests its refund. The payment is live because
 * the example shows the books (double-entry accounts) in live mode. No other example changes these
 * books.
 */
export const bookScenes = ({ app: { db }, demo }: Pick<TestApp, 'app' | 'demo'>) => ({
  async reportBooks() {
    const account = demo.provider_accounts.find(each => each.provider === 'midtrans' && each.mode === 'live')
    const fee = { version: 1, refund_fees: false, percent_bps: 70, min: null, max: null, tax_bps: 1_100 }
    const tenantId = demo.client.tenant_id
    const { id: paymentId, paymentCode: reference } = await insertPendingPayment(db, {
      ...{ tenantId, amount: 10_000_000n, mode: 'live', providerAccountId: account?.id ?? '' },
      feeTerms: { operator: { ...fee, fixed: 400_000 }, partner: null },
    })
    const paidAt = new Date()
    const event = { type: 'paid', amountPaid: 10_000_000n, paidAt, reference } as const
    await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], paidAt))
    await http('POST', `${demo.base_url}/v1/payments/${paymentId}/refunds`, {
      auth: `ApiKey ${demo.client.live_key}`,
      headers: { 'x-idempotency-key': 'refund-of-live-payment' },
      body: { amount: 2_000_000, bank_account: bankAccount },
    })
  },
})
