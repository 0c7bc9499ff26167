import { randomBytes, randomInt } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

const signedFields = ['merchantCode', 'amount', 'merchantOrderId', 'signature']

export const contractData: ContractData = {
  credentials: () => ({
    merchant_code: `DS${randomInt(100_000, 1_000_000)}`,
    api_key: randomBytes(16).toString('hex'),
  }),

  stranger: () => ({ api_key: 'stranger' }),
  nobody: () => ({ merchant_code: 'nobody' }),
  defaults: ['signature'],

  callbacksAreHints: true,
  /** Duitku publishes no maximums, so one that is exceeded is a refusal of the order. */
  refusesAmounts: 'declined',

  /** docs.duitku.com/api, "Expiry Period": the requested value is ignored. */
  ownLifeMinutes: channel => (channel === 'linkaja' ? 24 : undefined),

  /** The values of the signed fields, and the signature's. */
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
