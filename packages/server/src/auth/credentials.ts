// What somebody logs in with, as it comes in: of an attempt no more is asked than that it is one.

import { z } from 'zod'
import { text } from '../text.ts'

export const email = text().min(1, 'must not be empty').meta({ example: 'client@example.com' })

export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(1024)
  .meta({ example: 'correct horse battery staple' })
