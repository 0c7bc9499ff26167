// What the Owner sends to close a difference, for browsers' forms too.

import { z } from 'zod'
import { text } from '../text.ts'

export const closeDifferenceInput = z.object({
  reason: text()
    .refine(reason => reason !== '', 'is needed; it is kept with the difference')
    .meta({ example: 'the provider confirmed that it settles on the next day' }),
})
