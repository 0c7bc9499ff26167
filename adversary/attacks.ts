// Defines the attacks that the adversary test runs against the service. Each attack runs in its own process until it is
// stopped.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { newApiKey } from '../packages/server/src/auth/api-keys/api-key.ts'
import { anOrder } from '../packages/server/test/support/order.ts'
import { holdOpen, unfinished } from './sockets.ts'
import type { Target } from './world.ts'

export type Attack = {
  title: string
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
    title: '1,300 requests to /trpc/%61uth.login with unfinished bodies',
    ...bodiesAt('/trpc/%61uth.login'),
  },
  'encoded-session': {
    title: '1,300 requests to /trpc/session%2Eopen with unfinished bodies',
    ...bodiesAt('/trpc/session%2Eopen'),
  },
  login: { title: '1,300 requests to /v1/auth/login with unfinished bodies', ...bodiesAt('/v1/auth/login') },
  'batched-login': {
    title: '1,300 requests to /trpc/payments.get,auth.login?batch=1 with unfinished bodies',
    ...bodiesAt('/trpc/payments.get,auth.login?batch=1'),
  },
  'unknown-path': {
    title: '1,300 requests to an unknown path with unfinished bodies',
    ...bodiesAt('/v1/no/such/path'),
  },
  'login-1.0': {
    title: '1,300 HTTP/1.0 requests to /v1/auth/login with unfinished bodies',
    ...bodiesAt('/v1/auth/login', { version: '1.0' }),
  },
  'login-chunked': {
    title: '1,300 chunked requests to /v1/auth/login with unfinished bodies',
    ...bodiesAt('/v1/auth/login', { length: 0 }),
  },
  'login-drip': {
    title: '1,300 requests to /v1/auth/login whose bodies arrive at one byte per second',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () => unfinished({ path: '/v1/auth/login', length: 5_000 }),
        drip: { text: () => ' ', everyMs: 1_000 },
      }),
  },
  'login-addresses': {
    title: '1,300 requests to /v1/auth/login with unfinished bodies, from 1,300 IP addresses',
    run: target =>
      holdOpen(target, { count: MANY, begin: () => unfinished({ path: '/v1/auth/login' }), from: elsewhere }),
  },
  connections: {
    title: '9,000 idle connections from 40 IP addresses',
    run: target => holdOpen(target, { count: 9_000, begin: () => '', from: n => elsewhere(n % 40) }),
  },
  'slow-headers': {
    title: '1,300 connections each send one header line per second',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () => 'GET /v1/payments HTTP/1.1\r\nHost: gapura\r\n',
        drip: { text: () => 'X-More: 1\r\n', everyMs: 1_000 },
      }),
  },
  'failed-logins': {
    title: '50 logins per second with wrong passwords',
    run: ({ url }) =>
      atRate(50, () =>
        send(url, {
          path: '/v1/auth/login',
          body: { email: 'owner@example.com', password: randomUUID() },
        }),
      ),
  },
  'made-up-keys': {
    title: '300 invalid API keys per second',
    run: target =>
      flood(target, {
        perSecond: 300,
        inFlight: 300,
        make: () => ({ path: '/v1/payments', authorization: `ApiKey ${newApiKey('test')}` }),
      }),
  },
  'unfinished-creates': {
    title: 'a tenant sends 1,300 create requests with unfinished bodies',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () => unfinished({ path: '/v1/payments/create', headers: auth(target.keys[0]) }),
      }),
  },
  'unfinished-creates-many-keys': {
    title: 'a tenant sends 1,300 create requests with unfinished bodies and 8 API keys',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n =>
          unfinished({ path: '/v1/payments/create', headers: auth(target.keys[n % target.keys.length]) }),
      }),
  },
  'many-keys-flood': {
    title: 'a tenant lists payments 300 times per second with 8 API keys',
    run: target => {
      const { keys } = target
      let n = 0
      flood(target, {
        perSecond: 300,
        inFlight: 256,
        make: () => ({
          path: '/v1/payments?limit=5',
          authorization: `ApiKey ${keys[n++ % keys.length]}`,
        }),
      })
    },
  },
  'one-key-hanging': {
    title: 'a tenant repeats one create request 190 times per second while the provider hangs',
    run: ({ url, keys }) => {
      const hung = { key: randomUUID(), body: anOrder({ customer_name: 'SANDBOX TIMEOUT' }) }
      atRate(190, () => send(url, { ...hung, auth: keys[0] as string }))
    },
  },
  'many-keys-hanging': {
    title: 'a tenant sends 190 create requests per second while the provider hangs',
    run: ({ url, keys }) =>
      atRate(190, () =>
        send(url, {
          key: randomUUID(),
          body: anOrder({ customer_name: 'SANDBOX TIMEOUT' }),
          auth: keys[0] as string,
        }),
      ),
  },
  pipelined: {
    title: 'a tenant pipelines 200 create requests per second on 20 connections while the provider hangs',
    run: target => {
      const body = JSON.stringify(anOrder({ customer_name: 'SANDBOX TIMEOUT' }))
      const ten = () =>
        Array.from({ length: 10 }, () =>
          unfinished({
            path: '/v1/payments/create',
            headers: auth(target.keys[0]),
            length: body.length,
            body,
          }),
        ).join('')
      holdOpen(target, { count: 20, begin: ten, drip: { text: ten, everyMs: 1_000 } })
    },
  },
  'pipelined-without-key': {
    title: '20 connections pipeline 300 requests each without a credential; 5 reconnect per second',
    run: target =>
      holdOpen(target, {
        count: 20,
        begin: () => 'GET /v1/payments HTTP/1.1\r\nHost: gapura\r\n\r\n'.repeat(300),
        reopenedPerSecond: 5,
      }),
  },
  callbacks: {
    title: '1,300 callbacks with unfinished bodies for one provider account',
    run: target => holdOpen(target, { count: MANY, begin: () => unfinished({ path: target.callbackPath }) }),
  },
  'encoded-callbacks': {
    title:
      '1,300 chunked callbacks with unfinished bodies for one provider account, at a percent-encoded path',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: () =>
          unfinished({ path: target.callbackPath.replace('/callbacks/', '/%63allbacks/'), length: 0 }),
      }),
  },
  'callbacks-of-all': {
    title:
      "1,300 callbacks with unfinished bodies for all provider accounts, including the merchants' accounts",
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n => unfinished({ path: target.callbackPaths[n % target.callbackPaths.length] as string }),
      }),
  },
  'callbacks-addresses': {
    title: '1,300 callbacks with unfinished bodies for all provider accounts, from 1,300 IP addresses',
    run: target =>
      holdOpen(target, {
        count: MANY,
        begin: n => unfinished({ path: target.callbackPaths[n % target.callbackPaths.length] as string }),
        from: elsewhere,
      }),
  },
  'large-pages': {
    title: 'a tenant reads pages of 100 large payments, 16 pages at a time',
    run: target => {
      const get = { path: '/v1/payments?limit=100', authorization: `ApiKey ${target.largeKey}` }
      flood(target, { perSecond: 16, inFlight: 16, make: () => get })
    },
  },
  'slow-reader': {
    title: 'a tenant requests 200 large pages and reads none of the responses',
    run: target =>
      holdOpen(target, {
        count: 200,
        deaf: true,
        begin: () =>
          `GET /v1/payments?limit=100 HTTP/1.1\r\nHost: gapura\r\nAuthorization: ApiKey ${target.largeKey}\r\n\r\n`,
      }),
  },
  'giant-exports': {
    title: 'a tenant exports all of its payments 16 times per second',
    run: target => {
      const get = {
        path: '/v1/payments',
        authorization: `ApiKey ${target.largeKey}`,
        accept: 'application/x-ndjson',
      }
      flood(target, { perSecond: 16, inFlight: 16, make: () => get })
    },
  },
  'slow-exports': {
    title: 'a tenant requests 200 exports and reads none of the responses',
    run: target =>
      holdOpen(target, {
        count: 200,
        deaf: true,
        begin: () =>
          `GET /v1/payments HTTP/1.1\r\nHost: gapura\r\nAccept: application/x-ndjson\r\nAuthorization: ApiKey ${target.largeKey}\r\n\r\n`,
      }),
  },
}

const agent = new Agent({ keepAlive: true, maxSockets: 3_000 })

type Post = { path?: string; key?: string; body: object; auth?: string }

function send(url: string, { path = '/v1/payments/create', key = randomUUID(), body, auth }: Post): void {
  const headers = {
    'content-type': 'application/json',
    'x-idempotency-key': key,
    ...(auth && { authorization: `ApiKey ${auth}` }),
  }
  const asked = request(url + path, { method: 'POST', agent, headers }, response => void response.resume())
  asked.on('error', () => {})
  asked.end(JSON.stringify(body))
}

function atRate(perSecond: number, run: () => void): void {
  const TICK_MS = 20
  let due = 0
  setInterval(() => {
    for (due += (perSecond * TICK_MS) / 1_000; due >= 1; due--) run()
  }, TICK_MS)
}

/**
 * Sends requests at a fixed rate, even if responses are slow or are errors. Skips a request if too many requests
 * are already in flight.
 */
function flood(
  { url, scale }: Target,
  { perSecond, inFlight, make }: { perSecond: number; inFlight: number; make: () => Get },
): void {
  let open = 0
  atRate(perSecond * scale, () => {
    if (open >= inFlight * scale) return
    open++
    const { path, ...headers } = make()
    const asked = request(url + path, { agent, headers }, response => void response.resume())
    asked.on('error', () => {})
    asked.on('close', () => open--)
    asked.end()
  })
}

type Get = { path: string; authorization: string; accept?: string }
