// The input schema for closing a difference that the reconciliation found. The API and the dashboard share
// it.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { text } from '../values/text.ts'

export const closeDifferenceInput = z.object({
  reason: text()
    .refine(reason => reason !== '', rule('reason_needed', { keptWith: 'difference' }))
    .meta({ example: 'the provider confirmed that it settles on the next day' }),
})
