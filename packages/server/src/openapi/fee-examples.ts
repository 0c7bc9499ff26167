// Example operations for fee schedules and fee previews.

import { at, type Example, exampleTenantId, page } from './example-parts.ts'

const bca = {
  method_type: 'virtual_account',
  channel: 'bca',
  percent_bps: 70,
  fixed: 400_000,
  min: null,
  max: null,
  tax_bps: 1_100,
}
const version = { version: 1, effective_from: at, refund_fees: false, rules: [bca], created_at: at }
const schedule = { tenant_id: exampleTenantId, layer: 'operator', ...version, upcoming: [] }
const query = {
  method_type: { bca: 'virtual_account' },
  channel: { bca: 'bca' },
  amount: { bca: 15_000_000 },
}
const preview = {
  amount: 15_000_000,
  fee: 560_550,
  net: 505_000,
  tax: 55_550,
  received: 14_439_450,
  formula: '0.7% + Rp 4.000, PPN 11%',
}

const statement = {
  tenant_id: exampleTenantId,
  tenant_name: 'Toko Budi',
  month: '2026-11',
  mode: 'live',
  from: '2026-11-01',
  currency: 'IDR',
  items: [],
  count: 0,
  net: 0,
  tax: 0,
  total: 0,
}

export const feeExamples: Record<string, Example> = {
  getOwnFeeSchedule: { response: schedule },
  previewOwnFee: { query, response: preview },
  getFeeSchedule: { response: schedule },
  setFeeSchedule: {
    request: { bca: { rules: [bca] } },
    response: schedule,
    failures: { BAD_REQUEST: ['rules.1: another fee rule has the same method_type and channel'] },
  },
  reportFees: {
    query: { group_by: { by_channel: 'channel' }, mode: { by_channel: 'test' } },
    responses: {
      by_channel: page({ channel: 'bca', count: 1, net: 470_000, tax: 51_700, fee: 521_700 }),
    },
    // In a Client's (merchant's) report, the columns with the operator's and the Partner's shares of the fees are
    // empty.
    csv: 'channel,count,net,tax,fee,operator_fee,partner_margin\r\nbca,1,470000,51700,521700,,\r\n',
    failures: {
      BAD_REQUEST: ['group_by: must be a comma-separated list of day, tenant, method_type, channel, mode'],
    },
  },
  getOwnFeeStatement: {
    query: { month: { november: '2026-11' } },
    response: { ...statement, mode: 'test' },
  },
  getTenantFeeStatement: { query: { month: { november: '2026-11' } }, response: statement },
  previewTenantFee: { query, response: { ...preview, operator_fee: 560_550, partner_margin: 0 } },
}
