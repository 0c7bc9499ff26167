// The API document's examples, by operation. A test sends each example request to the service and compares the
// response with the example.

import { accountExamples } from './account-examples.ts'
import type { Example } from './example-parts.ts'
import { feeExamples } from './fee-examples.ts'
import { ownerExamples } from './owner-examples.ts'
import { paymentExamples } from './payment-examples.ts'
import { refundExamples } from './refund-examples.ts'
import { reportExamples } from './report-examples.ts'
import { tenantExamples } from './tenant-examples.ts'
import { webhookEndpointExamples } from './webhook-endpoint-examples.ts'

export const examples: Record<string, Example> = {
  ...paymentExamples,
  ...refundExamples,
  ...accountExamples,
  ...webhookEndpointExamples,
  ...tenantExamples,
  ...feeExamples,
  ...ownerExamples,
  ...reportExamples,
}
