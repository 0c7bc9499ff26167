import { Gapura, type Payment } from '@gapura/sdk'

const { GAPURA_API_KEY = '', GAPURA_BASE_URL = '', GAPURA_SANDBOX_URL = '' } = process.env

export const gapura = new Gapura({ apiKey: GAPURA_API_KEY, baseUrl: GAPURA_BASE_URL })

/** True if the shop uses a test key. Only test payments can be paid in the sandbox. */
export const isTest = GAPURA_API_KEY.startsWith('gp_test_')

/** The order's ID is the idempotency key, so that an order never gets a second payment. */
export const createPayment = (orderId: string): Promise<Payment> =>
  gapura.payments.create(
    {
      amount: 10_000_000, // in cents: Rp100,000
      currency: 'IDR',
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: 'BCA' },
      customer_name: 'Budi Santoso',
    },
    { idempotencyKey: orderId },
  )

/** Pays the payment in the sandbox, which simulates the bank. */
export async function payInSandbox({ payment_code }: Payment): Promise<void> {
  const response = await fetch(`${GAPURA_SANDBOX_URL}/simulate`, {
    method: 'POST',
    body: JSON.stringify({ payment_code, outcome: 'paid' }),
  })
  if (!response.ok) throw new Error(`the sandbox responded with ${response.status}`)
}
