// What an attacker does to the service. Each runs in a process of its own until that is ended.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { newApiKey } from '../packages/server/src/auth/api-key.ts'
import { holdOpen, unfinished } from './sockets.ts'
import type { Target } from './world.ts'

export type Attack = {
  title: string
  /** Before the merchants' window begins. */
  prepare?: (target: Target) => Promise<void>
  run: (target: Target) => void
}

const MANY = 1_300

const auth = (key: string | undefined) => [
  `Authorization: ApiKey ${key}`,
  `X-Idempotency-Key: ${randomUUID()}`,
]
const elsewhere = (n: number) => `127.1.${Math.floor(n / 200)}.${(n % 200) + 1}`

const bodiesAt = (path: string, more: object = {}) => ({
  run: (target: Target) => holdOpen(target, { count: MANY, begin: () => unfinished({ path, ...more }) }),
})

export const attacks: Record<string, Attack> = {
  'encoded-login': {
    title: '1,300 unfinished bodies at /trpc/%61uth.login',
    ...bodiesAt('/trpc/%61uth.login'),
  },
  'encoded-session': {
    title: '1,300 unfinished bodies at /trpc/session%2Eopen',
    ...bodiesAt('/trpc/session%2Eopen'),
  },
  login: { title: '1,300 unfinished bodies at /v1/auth/login', ...bodiesAt('/v1/auth/login') },
  'batched-login': {
    title: '1,300 unfinished bodies at /trpc/payments.get,auth.login?batch=1',
    ...bodiesAt('/trpc/payments.get,auth.login?batch=1'),
  },
  'unknown-path': {
    title: '1,300 unfinished bodies at paths that are not there',
    ...bodiesAt('/v1/no/such/path'),
  },
  'login-1.0': {
    title: '1,300 unfinished bodies at /v1/auth/login by HTTP/1.0',
    ...bodiesAt('/v1/auth/login', { version: '1.0' }),
  },
  'login-chunked': {
    title: '1,300 unfinished bodies at /v1/auth/login in chunks',
    ...bodiesAt('/v1/auth/login', { length: 0 }),
  },
  'login-drip': {
    title: '1,300 unfinished bodies at /v1/auth/login, a byte each second',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () => unfinished({ path: '/v1/auth/login', length: 5_000 }),
        drip: { text: ' ', everyMs: 1_000 },
      }),
  },
  'login-addresses': {
    title: '1,300 unfinished bodies at /v1/auth/login from 1,300 addresses',
    run: target =>
      holdOpen(target, { count: MANY, begin: () => unfinished({ path: '/v1/auth/login' }), from: elsewhere }),
  },
  connections: {
    title: '9,000 connections from 40 addresses that send nothing',
    run: target => holdOpen(target, { count: 9_000, begin: () => '', from: n => elsewhere(n % 40) }),
  },
  'made-up-keys': {
    title: '300 connections that send made-up API keys',
    run: target =>
      flood(target, {
        connections: 300,
        make: () => ({ method: 'GET', path: '/v1/payments', headers: [`ApiKey ${newApiKey('test')}`] }),
      }),
  },
  'unfinished-creates': {
    title: 'a tenant with 1,300 unfinished creates',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () => unfinished({ path: '/v1/payments/create', headers: auth(target.keys[0]) }),
      }),
  },
  'unfinished-creates-many-keys': {
    title: 'a tenant with 1,300 unfinished creates of 8 keys',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n =>
          unfinished({ path: '/v1/payments/create', headers: auth(target.keys[n % target.keys.length]) }),
      }),
  },
  'many-keys-flood': {
    title: 'a tenant that lists by 8 keys as fast as it is answered, 256 at a time',
    run: target => {
      const { keys } = target
      let n = 0
      flood(target, {
        connections: 256,
        make: () => ({
          method: 'GET',
          path: '/v1/payments?limit=5',
          headers: [`ApiKey ${keys[n++ % keys.length]}`],
        }),
      })
    },
  },
  'one-key-hanging': {
    title: 'a tenant that repeats one idempotency key, 190 times a second, while the provider hangs',
    run: ({ url, keys }) => {
      const hung = { key: randomUUID(), body: order('SANDBOX TIMEOUT') }
      atRate(190, () => send(url, { ...hung, auth: keys[0] as string }))
    },
  },
  'many-keys-hanging': {
    title: 'a tenant that sends 190 creates a second to a provider that hangs',
    run: ({ url, keys }) =>
      atRate(190, () =>
        send(url, { key: randomUUID(), body: order('SANDBOX TIMEOUT'), auth: keys[0] as string }),
      ),
  },
  pipelined: {
    title: 'a tenant that pipelines creates for a provider that hangs on 20 connections',
    run: target => {
      const body = JSON.stringify(order('SANDBOX TIMEOUT'))
      const whole = () =>
        unfinished({ path: '/v1/payments/create', headers: auth(target.keys[0]), length: body.length, body })
      holdOpen(target, { count: 20, begin: () => Array.from({ length: 100 }, whole).join('') })
    },
  },
  callbacks: {
    title: '1,300 unfinished callbacks of one account',
    run: target => holdOpen(target, { count: MANY, begin: () => unfinished({ path: target.callbackPath }) }),
  },
  'callbacks-of-all': {
    title: '1,300 unfinished callbacks of all accounts, the merchants’ own among them',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n => unfinished({ path: target.callbackPaths[n % target.callbackPaths.length] as string }),
      }),
  },
  'callbacks-addresses': {
    title: '1,300 unfinished callbacks of all accounts from 1,300 addresses',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n => unfinished({ path: target.callbackPaths[n % target.callbackPaths.length] as string }),
        from: elsewhere,
      }),
  },
  'large-pages': {
    title: 'a tenant that reads pages of 100 large payments, 16 at a time',
    prepare: makeLargePayments,
    run: target => {
      const headers = [`ApiKey ${target.keys[0]}`]
      const get = () => ({ method: 'GET', path: '/v1/payments?limit=100', headers })
      flood(target, { connections: 16, make: get })
    },
  },
  'slow-reader': {
    title: 'a tenant that asks for 200 large pages and reads none',
    prepare: makeLargePayments,
    run: target =>
      holdOpen(target, {
        count: 200,
        deaf: true,
        begin: () =>
          `GET /v1/payments?limit=100 HTTP/1.1\r\nHost: gapura\r\nAuthorization: ApiKey ${target.keys[0]}\r\n\r\n`,
      }),
  },
  'giant-exports': {
    title: 'a tenant that exports everything, 16 times at a time',
    prepare: makeLargePayments,
    run: target =>
      flood(target, {
        connections: 16,
        make: () => ({
          method: 'GET',
          path: '/v1/payments',
          headers: [`ApiKey ${target.keys[0]}`, 'application/x-ndjson'],
        }),
      }),
  },
}

const order = (name: string, items: object[] = []) => ({
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'BCA' },
  customer_name: name,
  ...(items.length > 0 && { items }),
})

const agent = new Agent({ keepAlive: true, maxSockets: 3_000 })

function send(url: string, { key, body, auth }: { key: string; body: object; auth: string }): Promise<void> {
  return new Promise(resolve => {
    const asked = request(
      `${url}/v1/payments/create`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `ApiKey ${auth}`,
          'content-type': 'application/json',
          'x-idempotency-key': key,
        },
      },
      response => void response.resume().on('close', resolve),
    )
    asked.on('error', () => resolve())
    asked.end(JSON.stringify(body))
  })
}

function atRate(perSecond: number, run: () => Promise<void>): void {
  setInterval(() => void run(), 1_000 / perSecond)
}

/** Each connection asks again as soon as it is answered. */
function flood(
  { url, scale }: Target,
  {
    connections,
    make,
  }: { connections: number; make: () => { method: string; path: string; headers: string[] } },
): void {
  const next = (): void => {
    const { method, path, headers } = make()
    const [authorization = '', accept = 'application/json'] = headers
    const asked = request(url + path, { method, agent, headers: { authorization, accept } }, response => {
      response.resume().on('close', () => (response.statusCode === 200 ? next() : setTimeout(next, 20)))
    })
    asked.on('error', () => setTimeout(next, 100))
    asked.end()
  }
  for (let n = 0; n < connections * scale; n++) next()
}

const LARGE_PAYMENTS = 100

/** A hundred items with names as long as they may be: some 50 KB each. */
async function makeLargePayments({ url, keys }: Target): Promise<void> {
  const items = Array.from({ length: 100 }, (_, n) => ({
    id: `${n}-${'x'.repeat(200)}`,
    name: 'x'.repeat(255),
    price: 100_000,
    quantity: 1,
  }))
  for (let n = 0; n < LARGE_PAYMENTS; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        send(url, { key: randomUUID(), body: order('Budi', items), auth: keys[0] as string }),
      ),
    )
}
