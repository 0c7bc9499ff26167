import { createHash, createHmac } from 'node:crypto'
import { type Called, call, type Json, newOrderId } from './merchant.ts'

// A Duitku merchant for tests. It computes its own signatures, so that the tests can verify the sandbox's code.

export const hmacMerchant = { merchant_code: 'D0001', api_key: 'key-of-D0001' }
export const md5Merchant = { merchant_code: 'D0002', api_key: 'key-of-D0002', signature: 'md5' }
export type DuitkuMerchant = typeof hmacMerchant & { signature?: string }

export const sign = ({ api_key, signature }: DuitkuMerchant, text: string): string =>
  signature === 'md5'
    ? createHash('md5')
        .update(text + api_key)
        .digest('hex')
    : createHmac('sha256', api_key).update(text).digest('hex')

/** Returns the body of a create request. It requests a BCA virtual account unless `over` overrides this. */
export function createBody(merchant: DuitkuMerchant, over: Json = {}): Json {
  const body = {
    merchantCode: merchant.merchant_code,
    paymentAmount: 40_000,
    paymentMethod: 'BC',
    merchantOrderId: newOrderId(),
    productDetails: 'Pembayaran untuk Toko Contoh',
    email: 'test@example.com',
    customerVaName: 'John Doe',
    callbackUrl: 'http://127.0.0.1:9/callback',
    returnUrl: 'http://127.0.0.1:9/return',
    expiryPeriod: 10,
    ...over,
  }
  const { merchantCode, merchantOrderId, paymentAmount } = body
  return { signature: sign(merchant, `${merchantCode}${merchantOrderId}${paymentAmount}`), ...body }
}

export const callDuitku = (sandboxUrl: string, path: string, body: unknown): Promise<Called> =>
  call(`${sandboxUrl}/duitku/webapi/api/merchant${path}`, body, { serverKey: null })

export function statusBody(merchant: DuitkuMerchant, merchantOrderId: string): Json {
  const merchantCode = merchant.merchant_code
  return { merchantCode, merchantOrderId, signature: sign(merchant, `${merchantCode}${merchantOrderId}`) }
}

export const registerDuitku = (sandboxUrl: string, credentials: Json): Promise<Called> =>
  call(`${sandboxUrl}/merchants`, { provider: 'duitku', credentials }, { serverKey: null })
