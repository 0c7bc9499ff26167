// Examples for the API document, by operation. A journey sends each request and holds the answer against the example.

import { accountExamples } from './account-examples.ts'
import type { OwnFailures } from './failures.ts'
import { ownerExamples } from './owner-examples.ts'
import { paymentExamples } from './payment-examples.ts'
import { reportExamples } from './report-examples.ts'
import { tenantExamples } from './tenant-examples.ts'

/**
 * What has the same name among the keys, queries, requests and answers belongs together; a single answer is that to
 * every request. A list may go on after what it shows.
 */
export type Example = {
  /** Values of X-Idempotency-Key. */
  keys?: Record<string, string>
  /** Query parameter → its values. */
  query?: Record<string, Record<string, string | number>>
  request?: Record<string, unknown>
  csv?: string
  failures?: OwnFailures
} & ({ response: unknown } | { responses: Record<string, unknown> })

export const examples: Record<string, Example> = {
  ...paymentExamples,
  ...accountExamples,
  ...tenantExamples,
  ...ownerExamples,
  ...reportExamples,
}
