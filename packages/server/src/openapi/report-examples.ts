// Example reports, and the data the reports are created from.

import type { Example } from './example-parts.ts'
import { exampleId } from './example-parts.ts'

const settlement = {
  date: '2026-11-19',
  lines: 1,
  amount: 10_000_000,
  fees: 400_000,
  duplicates: 0,
  uploaded_at: '2026-11-20T03:04:05.678Z',
}

export const exampleDifference = {
  kind: 'missing_there',
  between: 'payments_provider',
  tenant_id: exampleId(10),
  mode: 'test',
  payment_id: exampleId(1),
  payment_code: 'GP261120-7Q4M2ZK8XW',
  reference: 'GP261120-7Q4M2ZK8XW',
  provider: 'midtrans',
  provider_account_id: exampleId(20),
  provider_payment_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  our_status: 'paid',
  our_amount: 10_000_000,
  ledger_amount: 10_000_000,
  their_status: null,
  their_amount: null,
  source: 'settlement',
  detail: 'the payment is paid here, but no settlement contains it',
}
const tally = {
  compared: { settlement: 1, inquiry: 0, unanswered: 0, books: 0, unknown_lines: 0 },
  counts: { missing_here: 0, missing_there: 1, amount: 0, status: 0, duplicate: 0 },
}
const csvValue = (value: string | number | null): string =>
  String(value ?? '').includes(',') ? `"${value}"` : String(value ?? '')

export const reportExamples: Record<string, Example> = {
  reportPayments: {
    query: { group_by: { by_day_and_status: 'day,status' }, mode: { by_day_and_status: 'test' } },
    responses: {
      by_day_and_status: {
        items: [
          {
            day: '2026-11-20',
            status: 'paid',
            count: 1,
            amount: 10_000_000,
            amount_paid: 10_000_000,
            amount_refunded: 0,
            amount_reversed: 0,
          },
        ],
        next_cursor: null,
      },
    },
    csv: 'day,status,count,amount,amount_paid,amount_refunded,amount_reversed\r\n2026-11-20,paid,1,10000000,10000000,0,0\r\n',
    failures: {
      BAD_REQUEST: [
        'group_by: must be a comma-separated list of day, status, method_type, provider, tenant, mode',
      ],
    },
  },
  reportBooks: {
    query: { mode: { live_mode: 'live' } },
    responses: {
      live_mode: {
        mode: 'live',
        currency: 'IDR',
        provider_accounts: [
          {
            id: exampleId(20),
            provider_code: 'midtrans',
            name: 'Demonstration Midtrans live',
            owed: 10_000_000,
          },
        ],
        owed_by_providers: 10_000_000,
        merchant_balances: { positive: 7_478_300, negative: 0 },
        operator_fees: 521_700,
        partner_fees: 0,
        refunds_in_transit: 2_000_000,
        payouts_in_transit: 0,
        adjustment: 0,
        unassigned: 0,
        sum: 0,
        unbalanced_books: 0,
        balanced: true,
      },
    },
    failures: { BAD_REQUEST: ['mode: must be one of live, test'] },
  },
  reportReconciliation: {
    query: { mode: { test_mode: 'test' } },
    csv: `${Object.keys(exampleDifference).join()}\r\n${Object.values(exampleDifference).map(csvValue).join()}\r\n`,
    responses: {
      test_mode: {
        date: '2026-11-20',
        source: 'auto',
        items: [
          {
            tenant_id: exampleId(10),
            mode: 'test',
            paid: { count: 1, amount: 10_000_000 },
            credited: { count: 1, amount: 10_000_000 },
            debited: { count: 0, amount: 0 },
          },
        ],
        ...tally,
        by_mode: [{ mode: 'test', ...tally }],
        balanced: false,
        differences: [exampleDifference],
        truncated: false,
      },
    },
    failures: {
      BAD_REQUEST: ['date: must be a date, YYYY-MM-DD'],
      FORBIDDEN: ['only the Owner can request status inquiries from providers'],
    },
  },
  uploadSettlement: {
    request: { one_line: 'reference,amount,fee\r\nGP261119-7Q4M2ZK8XW,100000.00,4000.00\r\n' },
    response: settlement,
    failures: {
      BAD_REQUEST: ['date: must not be in the future'],
      PAYLOAD_TOO_LARGE: ['the body exceeds 65536 KiB'],
      UNSUPPORTED_MEDIA_TYPE: ['send the body as text/csv'],
    },
  },
  listSettlementLines: {
    response: {
      items: [
        {
          line: 2,
          reference: 'GP261119-7Q4M2ZK8XW',
          status: 'paid',
          amount: 10_000_000,
          fee: 400_000,
          paid_at: null,
          provider_payment_id: null,
          tenant_id: null,
          payment_id: null,
        },
      ],
      next_cursor: null,
    },
    failures: { NOT_FOUND: ['no settlement was uploaded for 2026-11-19'] },
  },
  listSettlements: { response: { items: [settlement], next_cursor: null } },
}
