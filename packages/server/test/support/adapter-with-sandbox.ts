// Runs a provider's adapter directly against the provider's sandbox. It makes the calls that the service would make
// and receives the callbacks that the service would receive.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { register } from '../../src/demo/demo-accounts.ts'
import { type MethodDetail, type MethodType, methodTypes } from '../../src/payments/method.ts'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import type { ContractData } from '../../src/providers/contract-data.ts'
import {
  type AcceptedCharge,
  type AnyProvider,
  type CallbackRequest,
  type CallbackUpdate,
  type Channel,
  type Charge,
  type Inquiry,
  type ProviderAccount,
  ProviderError,
} from '../../src/providers/provider.ts'
import { newId } from '../../src/values/id.ts'
import { atEnd } from './at-end.ts'
import { until } from './merchant.ts'
import { type Received, receive, updatesIn } from './receive-callback.ts'

export type Choice = { type: MethodType; channel: Channel }
export type Called = { request: CallbackRequest; reading: Received }
/** An order as recorded by the provider's sandbox. */
export type Recorded = {
  id: string
  reference: string
  status: string
  asked_cents: number
  recorded_cents: number
  expires_at: string | null
}

export type AdapterWithSandbox = {
  provider: AnyProvider
  contract: ContractData
  account: ProviderAccount<unknown>
  choices: Choice[]
  /** Each payment method that the provider offers, with its first channel. */
  methods: Choice[]
  order(choice: Choice, overrides?: Partial<Charge>): Charge
  charge(order: Charge): Promise<AcceptedCharge>
  inquiry(order: Charge, accepted?: AcceptedCharge): Inquiry
  /**
   * Returns the sandbox's callbacks about an order. These are the requests whose body contains the order's
   * reference. The sandbox's other requests, such as those for access tokens, do not contain the reference.
   */
  calls(reference: string): Called[]
  recorded(reference: string): Promise<Recorded[]>
  simulate(reference: string, outcome: string, extra?: object): Promise<{ status: number; body: string }[]>
}

export async function adapterWithSandbox(
  provider: AnyProvider,
  sandboxUrl: string,
  { url, calls }: Receiver,
): Promise<AdapterWithSandbox> {
  const { contractData: contract } = (await import(
    `../../src/providers/${provider.code}/contract-data.ts`
  )) as { contractData: ContractData }
  const id = newId()
  const callbackUrl = `${url}/v1/callbacks/${provider.code}/${id}`
  const ours = contract.credentials()
  const issued = await register(sandboxUrl, provider.code, ours, callbackUrl)
  const account = {
    id,
    mode: 'test',
    credentials: provider.credentials.parse({ ...ours, ...issued }),
    baseUrl: `${sandboxUrl}/${provider.code}`,
  } as const
  const read = calls(request => receive(provider, account, request), id)
  const choices = methodTypes.flatMap(type =>
    (provider.methods.find(method => method.type === type)?.channels ?? []).map(channel => ({
      type,
      channel,
    })),
  )
  const control = async (path: string, body?: object) => {
    const response = await fetch(`${sandboxUrl}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the sandbox's own responses
    return (await response.json()) as any
  }
  return {
    provider,
    contract,
    account,
    choices,
    methods: methodTypes.flatMap(type => choices.find(choice => choice.type === type) ?? []),
    order: ({ type, channel }, overrides = {}) => ({
      reference: newPaymentCode(new Date()),
      amount: amountFor(channel),
      channel: channel.code,
      methodDetail: detailOf(type, channel.code),
      customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
      items: [],
      startedAt: new Date(),
      expiryMinutes: Math.min(60, channel.limits.maxExpiryMinutes),
      callbackUrl,
      returnUrl: 'https://shop.example.com/orders/1001',
      ...overrides,
    }),
    charge: order => provider.charge(account, order),
    inquiry: (order, accepted) => ({
      ...order,
      providerPaymentId: accepted?.providerPaymentId ?? null,
      methodData: accepted?.methodData ?? null,
    }),
    calls(reference) {
      const sent = contract.sentReference?.(reference) ?? reference
      return read.filter(({ request }) => request.body.includes(sent))
    },
    async recorded(reference) {
      const { orders } = await control(`/orders?payment_code=${encodeURIComponent(reference)}`)
      return orders
    },
    simulate: async (reference, outcome, extra = {}) =>
      (await control('/simulate', { payment_code: reference, outcome, ...extra })).callbacks,
  }
}

/** Returns an amount of Rp 50,000, or the closest amount within the channel's limits. */
function amountFor({ limits: { minAmount = 1n, maxAmount } }: Channel): bigint {
  const usual = 5_000_000n
  if (usual < minAmount) return minAmount
  return maxAmount !== undefined && usual > maxAmount ? maxAmount : usual
}

export function detailOf(type: MethodType, code: string): MethodDetail {
  switch (type) {
    case 'virtual_account':
      return { type, bank: code.toUpperCase() }
    case 'qris':
      return { type }
    case 'e_wallet':
      return { type, wallet_type: code.toUpperCase() }
    case 'over_the_counter':
      return { type, store: code.toUpperCase() }
  }
}

/** A server that receives the sandbox's callbacks and responds as the service would. */
export type Receiver = {
  url: string
  calls(read: (request: CallbackRequest) => Received, accountId: string): Called[]
}

export async function callbackReceiver(): Promise<Receiver> {
  const accounts = new Map<string, { read(request: CallbackRequest): Received; called: Called[] }>()
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    const account = accounts.get(path.split('/')[4]?.split('?')[0] ?? '')
    if (!account) return response.writeHead(404).end()
    const called = {
      path,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks),
      receivedAt: new Date(),
    }
    const reading = account.read(called)
    account.called.push({ request: called, reading })
    if (!reading.verified) return response.writeHead(401).end()
    if ('unreadable' in reading) {
      const { status, contentType, body } = reading.unreadable.refusal
      return response.writeHead(status, { 'content-type': contentType }).end(body)
    }
    const { contentType, body } = 'reply' in reading ? reading.reply : reading.acknowledgement
    return response.writeHead(200, { 'content-type': contentType }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls(read, accountId) {
      const called: Called[] = []
      accounts.set(accountId, { read, called })
      return called
    },
  }
}

export async function faultOf(asked: Promise<unknown>): Promise<ProviderError> {
  const fault = await asked.then(
    answer =>
      new Error(
        `the call should have failed, but it returned ${JSON.stringify(answer, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
      ),
    error => error,
  )
  if (!(fault instanceof ProviderError)) throw fault
  return fault
}

/** Returns the payment updates that a callback with a valid signature reports. */
export const updatesOf = ({ reading }: Called): CallbackUpdate[] => updatesIn(reading)

/** Waits until more than `after` callbacks about an order have been received, and returns the latest one. */
export async function lastCall(bench: AdapterWithSandbox, reference: string, after = 0): Promise<Called> {
  return until('a callback', () =>
    bench.calls(reference).length > after ? bench.calls(reference).at(-1) : undefined,
  )
}
