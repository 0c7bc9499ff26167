// Examples for the API document, by operation. A test sends each request and compares the response with the example.

import { accountExamples } from './account-examples.ts'
import type { Example } from './example-parts.ts'
import { ownerExamples } from './owner-examples.ts'
import { paymentExamples } from './payment-examples.ts'
import { reportExamples } from './report-examples.ts'
import { tenantExamples } from './tenant-examples.ts'

export const examples: Record<string, Example> = {
  ...paymentExamples,
  ...accountExamples,
  ...tenantExamples,
  ...ownerExamples,
  ...reportExamples,
}
