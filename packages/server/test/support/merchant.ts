// A merchant that uses the running service only through its HTTP API and webhooks.

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Demo } from '../../src/demo/demo.ts'
import { holdAgainstDocument } from './contract.ts'
import { contractRoute, holdAgainstContract } from './contract-proxy.ts'
import { anOrder } from './order.ts'
import { holdWebhookAgainstDocument } from './webhook-contract.ts'

export type Answer = {
  status: number
  headers: Headers
  text: string
  success: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a response
  data: any
  error: { code: string; message: string }
}

export async function http(
  method: string,
  url: string,
  {
    auth,
    body,
    raw,
    headers = {},
  }: {
    auth?: string
    body?: unknown
    raw?: string | Buffer<ArrayBuffer>
    headers?: Record<string, string>
  } = {},
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const route = await contractRoute({
    url,
    headers: {
      ...(auth && { authorization: auth }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: sent,
  })
  const response = await fetch(route.url, {
    method,
    headers: route.headers,
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  holdAgainstContract(method, url, response)
  let json: Partial<Answer> = {}
  try {
    json = JSON.parse(text)
  } catch {
    // If a response is not JSON, tests use only its text.
  }
  holdAgainstDocument(method, url, response.status, response.headers.get('content-type') ?? '', text)
  const { success, data, error } = json
  return { status: response.status, headers: response.headers, text, success, data, error } as Answer
}

export function merchantOf(demo: Demo, key = demo.client.test_key) {
  const auth = `ApiKey ${key}`
  const call = (method: string, path: string, options: Parameters<typeof http>[2] = {}) =>
    http(method, demo.base_url + path, { auth, ...options })
  return {
    call,
    create: (extra: object = {}, idempotencyKey: string = randomUUID()) =>
      call('POST', '/v1/payments/create', {
        body: anOrder(extra),
        headers: { 'x-idempotency-key': idempotencyKey },
      }),
    get: (id: string) => call('GET', `/v1/payments/${id}`),
    cancel: (id: string) => call('POST', `/v1/payments/${id}/cancel`),
    ledger: (id: string) => call('GET', `/v1/payments/${id}/ledger`),
    balance: async () => (await call('GET', '/v1/account/balance')).data.balance as number,
  }
}

/** Simulates an action by the payer or provider, such as a payment, in the provider's sandbox. */
export async function simulate(
  demo: Demo,
  payment: { payment_code: string },
  outcome: string,
  options: { amount?: number; copies?: number; bad_signature?: true; silently?: true } = {},
): Promise<{ status: number; body: string }[]> {
  const { silently, ...rest } = options
  const response = await fetch(`${demo.sandbox_url}/simulate${silently ? '/silently' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment_code: payment.payment_code, outcome, ...rest }),
  })
  if (!response.ok) throw new Error(`the sandbox returned ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { callbacks: { status: number; body: string }[] }).callbacks
}

export async function createRequests(demo: Demo, payment: { payment_code: string }): Promise<unknown[]> {
  const response = await fetch(`${demo.sandbox_url}/requests?payment_code=${payment.payment_code}`)
  return ((await response.json()) as { requests: unknown[] }).requests
}

export async function logIn(demo: Demo, who: { email: string; password: string }): Promise<string> {
  const { data, status, text } = await http('POST', `${demo.base_url}/v1/auth/login`, {
    body: { email: who.email, password: who.password },
  })
  if (status !== 200) throw new Error(text)
  return `Bearer ${data.access_token}`
}

export type Hook = {
  at: number
  headers: Record<string, string>
  raw: string
  body: { id: string; type: string; data: { id: string } } & Record<string, unknown>
}

/**
 * Starts the merchant's server and sets its URL as the callback URL. `answer` returns the response status. If it
 * returns undefined, the server never responds.
 */
export async function receiver(
  demo: Demo,
  answer: (hook: Hook, count: number) => number | undefined = () => 200,
  who: { email: string; password: string } = demo.client,
) {
  const hooks: Hook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        const hook = {
          at: Date.now(),
          headers: request.headers as Record<string, string>,
          raw,
          body: JSON.parse(raw),
        }
        holdWebhookAgainstDocument(hook)
        hooks.push(hook)
        const status = answer(hook, hooks.length)
        if (status !== undefined) response.writeHead(status).end(`receiver says ${status}`)
      })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const set = await http('PUT', `${demo.base_url}/v1/account/webhook`, {
    auth: await logIn(demo, who),
    body: { callback_url: url },
  })
  if (set.status !== 200) throw new Error(set.text)
  return {
    hooks,
    url,
    secret: set.data.secret as string,
    of: (payment: { id: string }) => hooks.filter(hook => hook.body.data.id === payment.id),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Polls until `look` returns a value. If this takes too long, throws an error that contains `what`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 120_000,
): Promise<T> {
  const end = Date.now() + ms
  let pause = 20
  for (;;) {
    const got = await look()
    if (got) return got
    if (Date.now() > end) throw new Error(`timed out after ${ms} ms while waiting until ${what}`)
    await new Promise(resolve => setTimeout(resolve, pause))
    pause = Math.min(pause * 1.5, 250)
  }
}

/** Runs `run` for each input, up to `limit` at a time, and returns the outputs in order. */
export async function atOnce<In, Out>(
  limit: number,
  inputs: In[],
  run: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const outputs: Out[] = []
  const rest = inputs.entries()
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const [index, input] of rest) outputs[index] = await run(input)
    }),
  )
  return outputs
}
