// Calls the operations for refunds, fees, and books (double-entry ledgers), for operations.heavy.test.ts.

import type { Call } from '../support/management-api.ts'
import type { Answer } from '../support/merchant.ts'

type Callers = {
  client: Call
  owner: Call
  /** Requests a manual refund of a paid payment. */
  refund: () => Promise<Answer>
  clientPath: (rest?: string) => string
}

const bcaPayment = '?method_type=virtual_account&channel=bca&amount=10000000'

/**
 * Returns for each operation ID a function that calls the operation. These functions get the callers from
 * `to`. Only these functions may call `to`, because the map itself is created before the callers log in.
 */
export const moneyCalls = (to: () => Callers): Record<string, () => Promise<Answer>> => ({
  reportBooks: () => to().owner('GET', '/v1/reports/books?mode=test'),
  reportFees: () => to().owner('GET', '/v1/reports/fees?group_by=day'),
  getOwnFeeStatement: () => to().client('GET', '/v1/account/fee-statement?month=2026-11'),
  getTenantFeeStatement: () => to().owner('GET', to().clientPath('/fee-statement?month=2026-11')),
  createRefund: () => to().refund(),
  listPaymentRefunds: async () =>
    to().client('GET', `/v1/payments/${(await to().refund()).data.payment_id}/refunds`),
  listRefunds: () => to().client('GET', '/v1/refunds?mode=test'),
  getRefund: async () => to().client('GET', `/v1/refunds/${(await to().refund()).data.id}`),
  resolveRefund: async () =>
    to().owner('POST', `/v1/refunds/${(await to().refund()).data.id}/resolve`, {
      outcome: 'succeeded',
      bank_reference: 'TRF-1',
    }),
  getOwnFeeSchedule: () => to().client('GET', '/v1/account/fee-schedule'),
  previewOwnFee: () => to().client('GET', `/v1/account/fee-preview${bcaPayment}`),
  getFeeSchedule: () => to().owner('GET', to().clientPath('/fee-schedule')),
  setFeeSchedule: () => to().owner('PUT', to().clientPath('/fee-schedule'), { rules: [{ fixed: 100_000 }] }),
  previewTenantFee: () => to().owner('GET', to().clientPath(`/fee-preview${bcaPayment}`)),
})
