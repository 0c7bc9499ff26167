// Inserts a reconciliation difference in the form in which daily reconciliation stores it.

import {
  listDifferences,
  storeReconciliationDifferences,
} from '../../src/daily-reconciliation/difference.sql.ts'
import type { Db } from '../../src/db/db.ts'
import { firstPage } from '../../src/db/list-order.ts'
import type { DifferenceView } from '../../src/reports/reconciliation-report.ts'

type About = Pick<DifferenceView, 'tenant_id' | 'payment_id' | 'payment_code' | 'provider_account_id'>

/**
 * Inserts a reconciliation difference for a payment that is paid in Gapura but missing at the provider. Returns the
 * difference's id.
 */
export async function keptDifference(db: Db, about: About): Promise<string> {
  const found: DifferenceView = {
    kind: 'missing_there',
    between: 'payments_provider',
    mode: 'test',
    reference: about.payment_code ?? '',
    provider: 'midtrans',
    provider_payment_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
    our_status: 'paid',
    our_amount: 10_000_000,
    ledger_amount: 10_000_000,
    their_status: null,
    their_amount: null,
    source: 'settlement',
    detail: 'the payment is paid here, but no settlement contains it',
    ...about,
  }
  await storeReconciliationDifferences(db, '2026-11-20', [found])
  const ofPayment = { isOpen: true, mode: null, paymentId: about.payment_id }
  const [kept] = await listDifferences(db, ofPayment, firstPage(), 1)
  return kept?.id ?? ''
}
