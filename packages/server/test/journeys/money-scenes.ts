// Prepares the data for the API examples about refunds and fees (example-scenes.ts).

import type { Demo } from '../../src/demo/demo.ts'
import { exampleId } from '../../src/openapi/example-parts.ts'
import { http } from '../support/merchant.ts'

type Stage = {
  real: Record<string, string>
  auth: { key: string }
  asOwner(method: string, path: string, body?: object): Promise<unknown>
}

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
        bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' },
      },
    })
    scene.real[exampleId(33)] = data.id
  }
  return {
    createRefund: paid,
    listPaymentRefunds: refunded,
    listRefunds: refunded,
    getRefund: refunded,
    resolveRefund: refunded,
  }
}
