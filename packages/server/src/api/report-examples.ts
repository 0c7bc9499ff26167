// Examples for the reports, and for what they are made from.

import type { Example } from './examples.ts'

const id = (n: number) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`

const settlement = {
  date: '2026-11-20',
  lines: 3,
  amount: 30_000_000,
  fees: 1_200_000,
  duplicates: 0,
  uploaded_at: '2026-11-21T03:04:05.678Z',
}

export const reportExamples: Record<string, Example> = {
  reportPayments: {
    response: {
      items: [
        { day: '2026-11-20', status: 'paid', count: 3, amount: 30_000_000, amount_paid: 30_000_000 },
        { day: '2026-11-20', status: 'pending', count: 1, amount: 10_000_000, amount_paid: 0 },
      ],
    },
  },
  reportReconciliation: {
    response: {
      date: '2026-11-20',
      source: 'auto',
      items: [
        {
          tenant_id: id(10),
          mode: 'live',
          paid: { count: 3, amount: 30_000_000 },
          credited: { count: 3, amount: 30_000_000 },
        },
      ],
      compared: { settlement: 3, inquiry: 0, unanswered: 0, books: 0, unknown_lines: 0 },
      counts: { missing_here: 0, missing_there: 1, amount: 0, status: 0, duplicate: 0 },
      balanced: false,
      differences: [
        {
          kind: 'missing_there',
          between: 'payments_provider',
          tenant_id: id(10),
          mode: 'live',
          payment_id: id(1),
          payment_code: 'GP261120-7Q4M2ZK8XW',
          reference: 'GP261120-7Q4M2ZK8XW',
          provider: 'midtrans',
          provider_account_id: id(20),
          provider_payment_id: null,
          our_status: 'paid',
          our_amount: 10_000_000,
          ledger_amount: 10_000_000,
          their_status: null,
          their_amount: null,
          source: 'settlement',
          detail: 'it is paid here, and no settlement has it',
        },
      ],
      truncated: false,
    },
  },
  uploadSettlement: { response: settlement },
  listSettlements: { response: { items: [settlement], next_cursor: null } },
}
