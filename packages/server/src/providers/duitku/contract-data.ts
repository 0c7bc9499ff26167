import { randomBytes, randomInt } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'
import { signatureOf } from './signature.ts'

const reference = 'GP261120-7Q4M2ZK8XW'

const signedFields = ['merchantCode', 'amount', 'merchantOrderId', 'signature']

export const contractData: ContractData = {
  credentials: () => ({
    merchant_code: `DS${randomInt(100_000, 1_000_000)}`,
    api_key: randomBytes(16).toString('hex'),
  }),

  stranger: () => ({ api_key: 'stranger' }),
  unknownCredentials: () => ({ merchant_code: 'nobody' }),

  callbacksAreHints: true,

  /**
   * LinkAja payments stay payable for 24 minutes. Duitku ignores the requested expiry (docs.duitku.com/api, "Expiry
   * Period").
   */
  ownLifeMinutes: channel => (channel === 'linkaja' ? 24 : undefined),

  deciding: ['merchantOrderId', 'reference', 'amount', 'statusCode'],

  signer(genuine) {
    const merchant_code = new URLSearchParams(genuine).get('merchantCode')
    const credentials = { ...contractData.credentials(), ...(merchant_code && { merchant_code }) }
    const { api_key = '' } = credentials as Record<string, string>
    return {
      credentials,
      sign(callback) {
        const form = new URLSearchParams(callback.body.toString())
        const values = ['merchantCode', 'amount', 'merchantOrderId'].map(name => form.get(name) ?? '')
        form.set('signature', signatureOf({ api_key, signature: 'hmac' }, values))
        return { ...callback, body: Buffer.from(form.toString()) }
      },
    }
  },

  // The sample responses to a status inquiry come from docs.duitku.com/api, transactionStatus.
  paidAnswers: [
    {
      name: 'transactionStatus',
      inquiry: { reference, amount: 10_000_000n },
      message: {
        ...{ merchantOrderId: reference, reference: 'DXXXXCX80TXXX5Q70QCI', amount: '100000', fee: '0' },
        ...{ statusCode: '00', statusMessage: 'SUCCESS' },
      },
      answer: (_, message) => message,
    },
  ],

  /** Returns the positions of the signed values and of the signature in the form-encoded body. */
  signed({ body }) {
    const text = body.toString('latin1')
    return {
      headers: [],
      body: signedFields.map(name => {
        const [, before = '', value = ''] = new RegExp(`((?:^|&)${name}=)([^&]*)`).exec(text) ?? []
        const start = text.indexOf(`${before}${value}`) + before.length
        return { start, end: start + value.length }
      }),
    }
  },
}
