// The input schema for a parameter that identifies a payment by its UUID or its payment code.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { isId } from '../values/id.ts'
import { isPaymentCode, paymentCodePattern } from './payment-code.ts'

/**
 * Returns the query parameter that limits a list to one payment. The argument `items`, such as "callbacks
 * for", names the listed objects in the parameter's description.
 */
export const paymentFilter = (items: string) =>
  z
    .string()
    .trim()
    .refine(given => isId(given) || isPaymentCode(given), rule('payment_id_malformed'))
    .meta({ pattern: `^(?:${paymentCodePattern}|${z.regexes.uuid().source.slice(1, -1)})$` })
    .optional()
    .meta({ description: `Only ${items} this payment, given as its UUID or its exact payment code` })
