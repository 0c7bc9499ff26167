// A fake service that returns the test's responses in order and stores the requests.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Payment } from '../src/index.ts'

export type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string }
export type Answer = (response: ServerResponse, asked: Asked) => void

/**
 * Starts a fake service that sends the given responses in order, one for each request. For all further
 * requests, the service repeats the last response.
 */
export async function service(...answers: Answer[]): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
    asked.push(one)
    answer?.(response, one)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  response => {
    response
      .writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': 'req-1',
        ...headers,
      })
      .end(JSON.stringify(body))
  }

export const ok = (data: unknown): Answer => json(200, { success: true, data })

export const failure = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Answer => json(status, { success: false, error: { code, message } }, headers)

/** Breaks the connection before sending any part of a response. */
export const hangUp: Answer = response => response.destroy()

/** Sends the headers and half of the body, but never the rest. */
export const stall: Answer = response => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":true,')
}

/** Sends the headers and half of the body, then breaks the connection. */
export const breakOff: Answer = response => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .write('{"success":true,', () => response.destroy())
}

export const aPayment: Payment = {
  id: '01990000-0000-7000-8000-000000000001',
  tenant_id: '01990000-0000-7000-8000-000000000010',
  mode: 'test',
  payment_code: 'GP261120-7Q4M2ZK8XW',
  idempotency_key: 'order-1001',
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_data: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
  status: 'pending',
  provider: 'midtrans',
  provider_payment_id: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
  customer_name: 'Budi Santoso',
  customer_email: '',
  customer_phone: '',
  items: [],
  expires_at: '2026-11-20T04:04:05.678Z',
  paid_at: null,
  amount_paid: null,
  amount_refunded: 0,
  amount_reversed: 0,
  failure_reason: null,
  created_at: '2026-11-20T03:04:05.678Z',
  updated_at: '2026-11-20T03:04:05.678Z',
}
