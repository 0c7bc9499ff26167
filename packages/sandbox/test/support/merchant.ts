import { randomUUID } from 'node:crypto'

export const SERVER_KEY = 'SB-Mid-server-test'

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of the provider's JSON
export type Json = any

export type Called = { status: number; body: Json; text: string }

export function basicAuth(serverKey: string): string {
  return `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`
}

export async function call(
  url: string,
  body?: unknown,
  options: { method?: string; serverKey?: string | null; headers?: Record<string, string> } = {},
): Promise<Called> {
  const { serverKey = SERVER_KEY, headers = {} } = options
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'content-type': 'application/json',
      ...(serverKey !== null && { authorization: basicAuth(serverKey) }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

export function newOrderId(): string {
  return `PAY-${randomUUID().slice(0, 18)}`
}

/** Returns the body of a charge. By default it requests a BCA virtual account. */
export function charge(over: Record<string, unknown> = {}, orderId = newOrderId(), amount = 44000): Json {
  return {
    payment_type: 'bank_transfer',
    bank_transfer: { bank: 'bca' },
    transaction_details: { order_id: orderId, gross_amount: amount },
    ...over,
  }
}

export const methods: Record<string, Record<string, unknown>> = {
  bca: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bca' } },
  bni: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bni' } },
  bri: { payment_type: 'bank_transfer', bank_transfer: { bank: 'bri' } },
  cimb: { payment_type: 'bank_transfer', bank_transfer: { bank: 'cimb' } },
  permata: { payment_type: 'bank_transfer', bank_transfer: { bank: 'permata' } },
  'permata spelt as a type': { payment_type: 'permata', bank_transfer: undefined },
  mandiri: { payment_type: 'echannel', echannel: { bill_info1: 'Payment:', bill_info2: 'Online purchase' } },
  'qris gopay': { payment_type: 'qris', qris: { acquirer: 'gopay' } },
  'qris shopee': { payment_type: 'qris', qris: { acquirer: 'airpay shopee' } },
  gopay: { payment_type: 'gopay', gopay: { enable_callback: true, callback_url: 'someapps://callback' } },
  shopeepay: { payment_type: 'shopeepay', shopeepay: { callback_url: 'https://shop.example/done' } },
  ovo: { payment_type: 'ovo', ovo: { payer_phone_number: '081234567890' } },
  alfamart: { payment_type: 'cstore', cstore: { store: 'alfamart', message: 'Message' } },
  indomaret: { payment_type: 'cstore', cstore: { store: 'indomaret' } },
  akulaku: { payment_type: 'akulaku' },
  kredivo: {
    payment_type: 'kredivo',
    item_details: [{ id: 'a', name: 'Shoes', price: 44000, quantity: 1 }],
    customer_details: { first_name: 'Budi' },
  },
}
