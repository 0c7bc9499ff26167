import { randomBytes, randomInt } from 'node:crypto'
import type { ContractData } from '../contract-data.ts'

export const contractData: ContractData = {
  credentials: () => ({
    api_key: `DEV-${randomBytes(20).toString('hex')}`,
    private_key: randomBytes(15).toString('hex'),
    merchant_code: `T${randomInt(10_000, 100_000)}`,
  }),

  stranger: () => ({ private_key: 'stranger' }),
  nobody: () => ({ api_key: 'nobody' }),

  /** Every byte of the body. */
  signed: ({ body }) => ({ body: [{ start: 0, end: body.length }], headers: ['x-callback-signature'] }),
}
