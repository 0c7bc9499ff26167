// A fake acquirer (a payment provider's server) and orders for it, for tests of provider calls. The fake acquirer
// issues tokens, records requests, and sends the responses defined by the test.

import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import type { MethodDetail } from '../../src/payments/method.ts'
import {
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
} from '../../src/providers/provider.ts'
import { contractData } from '../../src/providers/snap/contract-data.ts'
import type { Credentials } from '../../src/providers/snap/credentials.ts'
import { customerNoOf } from '../../src/providers/snap/translate.ts'
import { aCharge, anInquiry } from './charge.ts'

export type Sent = {
  path: string
  headers: Record<string, string>
  text: string
  body: Record<string, unknown>
}
export type Answer = { status?: number; body: object | string } | 'hang up'

export type FakeAcquirer = {
  url: string
  tokens: Sent[]
  calls: Sent[]
  token: () => Answer | Promise<Answer>
  answer: (sent: Sent) => Answer
  close(): void
}

/**
 * Starts a fake acquirer and freezes the monotonic clock until close() is called. This clock determines whether a
 * provider call may still start, so a slow machine could change a test's result. Tests of late calls advance the clock.
 */
export async function fakeAcquirer(): Promise<FakeAcquirer> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const sent = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      text,
      body: text === '' ? {} : JSON.parse(text),
    }
    const isToken = sent.path.endsWith('/access-token/b2b')
    const list = isToken ? acquirer.tokens : acquirer.calls
    list.push(sent)
    const told = isToken ? await acquirer.token() : acquirer.answer(sent)
    if (told === 'hang up') return response.destroy()
    const { status = 200, body } = told
    return response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const acquirer: FakeAcquirer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens: [],
    calls: [],
    token: () => ({
      body: {
        responseCode: '2007300',
        accessToken: `token-${acquirer.tokens.length}`,
        tokenType: 'Bearer',
        expiresIn: '900',
      },
    }),
    answer: () => ({ body: {} }),
    close() {
      clock.mockRestore()
      server.close()
    },
  }
  return acquirer
}

export const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

let accounts = 0

/** Returns a new test account at the acquirer, so that no test uses a token that another test has cached. */
export const accountAt = (url: string): ProviderAccount<Credentials> => ({
  id: `01990000-0000-7000-8000-${String(++accounts).padStart(12, '0')}`,
  mode: 'test',
  baseUrl: `${url}/snap`,
  credentials: {
    ...contractData.credentials(),
    partner_service_id: '70012',
    private_key: pair.privateKey,
    provider_public_key: pair.publicKey,
  } as Credentials,
})

export const reference = 'GP261120-7Q4M2ZK8XW'
/** The reference as sent to Midtrans. It has no dash, because BI-SNAP allows only letters and digits. */
export const sentReference = 'GP2611207Q4M2ZK8XW'
const details: Record<string, MethodDetail> = {
  bca: { type: 'virtual_account', bank: 'BCA' },
  mandiri: { type: 'virtual_account', bank: 'Mandiri' },
  qris: { type: 'qris' },
  gopay: { type: 'e_wallet', wallet_type: 'GoPay' },
}
export const order = (channel = 'bca', overrides: Partial<Charge> = {}): Charge =>
  aCharge({
    channel,
    methodDetail: details[channel] as MethodDetail,
    callbackUrl: 'https://pay.example.com/v1/callbacks/snap/1',
    ...overrides,
  })
export const inquiry = (channel = 'bca', overrides: Partial<Inquiry> = {}): Inquiry =>
  anInquiry({ channel, methodDetail: details[channel] as MethodDetail, ...overrides })
export const idr = (value: string) => ({ value, currency: 'IDR' })
export const asked = `70012${customerNoOf(reference)}`

/** Returns Midtrans' successful response to a charge. */
export const accepted = (sent: Sent): Answer => {
  if (sent.path.endsWith('create-va')) {
    const { additionalInfo: _, ...data } = sent.body
    return { body: { responseCode: '2002700', responseMessage: 'Successful', virtualAccountData: data } }
  }
  const { partnerReferenceNo } = sent.body
  return sent.path.endsWith('qr-mpm-generate')
    ? {
        body: {
          responseCode: '2004700',
          referenceNo: 'A1',
          partnerReferenceNo,
          qrContent: '00020101',
          qrUrl: 'https://x/qr',
        },
      }
    : {
        body: {
          responseCode: '2005400',
          referenceNo: 'A2',
          partnerReferenceNo,
          webRedirectUrl: 'https://x/pay',
          appRedirectUrl: '',
        },
      }
}
export const kindOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'no error',
    error => (error instanceof ProviderError ? error.kind : `no ProviderError: ${error}`),
  )
