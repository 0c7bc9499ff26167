// A payment is named by its id or by its payment code.

import type { Gapura, Payment } from '@gapura/sdk'
import { FailedError } from './failure.ts'

export async function findPayment(gapura: Gapura, reference: string): Promise<Payment> {
  if (!/^GP\d/i.test(reference)) return gapura.payments.get(reference)
  const code = reference.toUpperCase()
  const { items } = await gapura.payments.list({ q: code, limit: 1 })
  const [found] = items
  if (found?.payment_code !== code)
    throw new FailedError(
      `payment ${code} does not exist`,
      'check the code, and that your tenant and mode are the right ones (gapura whoami)',
    )
  return found
}
