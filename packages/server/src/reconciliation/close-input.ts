// The input schema for closing a difference, also for browser forms.

import { z } from 'zod'
import { text } from '../text.ts'

export const closeDifferenceInput = z.object({
  reason: text()
    .refine(reason => reason !== '', 'is needed; it is kept with the difference')
    .meta({ example: 'the provider confirmed that it settles on the next day' }),
})
