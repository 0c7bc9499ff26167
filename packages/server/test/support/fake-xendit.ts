// A fake Xendit server for tests of provider calls, and an example order for these calls. The server records the
// requests and sends the responses that the test defines.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import {
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
  type ProviderErrorKind,
} from '../../src/providers/provider.ts'
import type { Credentials } from '../../src/providers/xendit/credentials.ts'
import { aCharge, anInquiry } from './charge.ts'

export type Request = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
export const fake: {
  received: Request[]
  answer: (response: ServerResponse, request: Request) => void
} = { received: [], answer: response => response.end() }
let server: Server

/** Starts the fake Xendit before the calling file's tests. */
export function startFakeXendit(): void {
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const { method = '', url = '', headers } = request
      const sent = { method, url, headers, body }
      fake.received.push(sent)
      fake.answer(response, sent)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())
  beforeEach(() => {
    fake.received = []
  })
}
export const reply = (status: number, body: unknown) => {
  fake.answer = response =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const REFERENCE = 'GP261120-7Q4M2ZK8XW'
export const ID = 'pr-8877c08a-740d-4153-9816-3d744ed197a5'
export const keys = { secret_key: 'xnd_development_test', callback_token: 'token' }
export const account = (
  overrides: Partial<ProviderAccount<Credentials>> = {},
): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials: keys,
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ...overrides,
})
export const order = (overrides: Partial<Charge> = {}): Charge =>
  aCharge({ callbackUrl: 'https://pay.example.com/v1/callbacks/xendit/1', ...overrides })
export const inquiry = (overrides: Partial<Inquiry> = {}): Inquiry =>
  anInquiry({ providerPaymentId: ID, ...overrides })
/** Xendit's payment request for the order, as Xendit returns it before the payer has paid. */
export const known = {
  reference_id: REFERENCE,
  payment_request_id: ID,
  currency: 'IDR',
  request_amount: 100_000,
  status: 'ACCEPTING_PAYMENTS',
}
export const shown = (descriptor: string, value = '1') => ({
  actions: [{ type: 'PRESENT_TO_CUSTOMER', descriptor, value }],
})
export const payable = { ...known, ...shown('VIRTUAL_ACCOUNT_NUMBER') }
/** The ID of the payment that belongs to the payment request `known`. */
export const PAYMENT_ID = 'py-1402feb0-bb79-47ae-9d1e-e69394d3949c'
export const paid = {
  payment_id: PAYMENT_ID,
  payment_request_id: ID,
  reference_id: REFERENCE,
  status: 'SUCCEEDED',
  currency: 'IDR',
  request_amount: 100_000,
  captures: [{ capture_amount: 100_000, capture_timestamp: '2026-11-20T03:05:00.500Z' }],
}
/**
 * Makes the fake Xendit return the given payment request and payment. If one of the two is undefined, the fake
 * Xendit returns 404 for it.
 */
export const has = (request: object | undefined, payment?: object) => {
  fake.answer = (response, { url }) => {
    const found = url.startsWith('/v3/payments/') ? payment : request
    response.writeHead(found ? 200 : 404)
    response.end(JSON.stringify(found ?? { error_code: 'DATA_NOT_FOUND', message: 'cannot be found' }))
  }
}
export const kindOf = (asked: Promise<unknown>): Promise<ProviderErrorKind | 'no error'> =>
  asked.then(
    () => 'no error',
    error => {
      if (error instanceof ProviderError) return error.kind
      throw error
    },
  )
