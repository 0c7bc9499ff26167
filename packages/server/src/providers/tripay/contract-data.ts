import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

const reference = 'GP261120-7Q4M2ZK8XW'

export const contractData: ContractData = {
  credentials: () => ({
    api_key: `DEV-${randomBytes(20).toString('hex')}`,
    private_key: randomBytes(15).toString('hex'),
    merchant_code: `T${randomInt(10_000, 100_000)}`,
  }),

  stranger: () => ({ private_key: 'stranger' }),
  unknownCredentials: () => ({ api_key: 'nobody' }),

  deciding: [
    ...[
      'success',
      'reference',
      'merchant_ref',
      'status',
      'currency',
      'amount',
      'total_amount',
      'fee_customer',
    ],
  ],

  signer() {
    const credentials = contractData.credentials()
    return {
      credentials,
      sign(callback) {
        const signature = createHmac('sha256', credentials.private_key ?? '')
          .update(callback.body)
          .digest('hex')
        return { ...callback, headers: { ...callback.headers, 'x-callback-signature': signature } }
      },
    }
  },

  // The responses below come from Tripay's documentation of transaction/detail (tripay.co.id/developer).
  paidAnswers: [
    {
      name: 'transaction/detail',
      inquiry: { reference, amount: 10_000_000n, providerPaymentId: 'T0001000000000000006' },
      message: {
        ...{ success: true, message: '' },
        data: {
          ...{ reference: 'T0001000000000000006', merchant_ref: reference, payment_method: 'BRIVA' },
          ...{
            amount: 100_000,
            fee_merchant: 1_500,
            fee_customer: 0,
            total_fee: 1_500,
            amount_received: 98_500,
          },
          ...{
            pay_code: '57585748548596587',
            pay_url: null,
            checkout_url: 'https://tripay.co.id/checkout/T1',
          },
          ...{
            status: 'PAID',
            paid_at: '1582856000',
            expired_time: 1_582_855_837,
            qr_string: null,
            qr_url: null,
          },
        },
      },
      answer: (_, message) => message,
    },
  ],

  /** A callback's signature covers every byte of the callback's body. */
  signed: ({ body }) => ({ body: [{ start: 0, end: body.length }], headers: ['x-callback-signature'] }),
}
