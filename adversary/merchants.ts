// Five shops at their ordinary business, at a steady rate: they create payments, look them up, list, and get paid.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { World } from './world.ts'

export type Figures = { requests: number; errors: string[]; p50: number; p99: number; unpaid: number }

export type Shops = {
  /** What happens from now on belongs to a new window. */
  begin(): void
  /** Of the window, once everything of it is answered and the notifications of its paid payments have been applied. */
  end(): Promise<Figures>
  stop(): void
}

/** Of each shop, between two rounds of requests. */
const EVERY_MS = 250
/** Of each shop: on a machine that is too slow for all of them they do not pile up. */
const ROUNDS_AT_ONCE = 3
const PAID_EACH = 4
const PAID_WITHIN_MS = 60_000
/** What no answer comes to in that time is an error. */
const PATIENCE_MS = 60_000

type Answer = { status: number; text: string }
type Window = {
  times: number[]
  errors: string[]
  open: Set<Promise<unknown>>
  paid: { key: string; id: string }[]
}

const newWindow = (): Window => ({ times: [], errors: [], open: new Set(), paid: [] })

export function openShops({ target, merchantKeys }: World): Shops {
  let window = newWindow()
  const agents = merchantKeys.map((_, n) => new Agent({ keepAlive: true, localAddress: addressOf(n) }))
  const timers = merchantKeys.map((key, n) => {
    let round = 0
    let underWay = 0
    return setInterval(() => {
      if (underWay >= ROUNDS_AT_ONCE) return
      underWay++
      const { open, errors } = window
      const doing = visit(window, key, agents[n] as Agent, round++).catch(error => {
        errors.push(String(error))
      })
      open.add(doing)
      void doing.finally(() => {
        underWay--
        open.delete(doing)
      })
    }, EVERY_MS)
  })

  async function send(
    { times, errors }: Window,
    agent: Agent,
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ data?: { id: string; payment_code: string; status: string } }> {
    const startedAt = performance.now()
    const { status, text } = await exchange(target.url + path, agent, method, `ApiKey ${key}`, body).catch(
      error => ({ status: 0, text: String(error) }),
    )
    times.push(performance.now() - startedAt)
    if (status !== 200) {
      errors.push(`${method} ${path.split('/').slice(0, 3).join('/')}: ${status} ${text.slice(0, 160)}`)
      return {}
    }
    return JSON.parse(text)
  }

  async function visit(into: Window, key: string, agent: Agent, round: number): Promise<void> {
    const [{ data }] = await Promise.all([
      send(into, agent, key, 'POST', '/v1/payments/create', order()),
      send(into, agent, key, 'GET', '/v1/payments?limit=5'),
    ])
    if (!data) return
    await send(into, agent, key, 'GET', `/v1/payments/${data.id}`)
    if (round % PAID_EACH !== 0) return
    const paid = await fetch(`${target.sandboxUrl}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payment_code: data.payment_code, outcome: 'paid' }),
    })
    const { callbacks } = (await paid.json()) as { callbacks?: { status: number; body: string }[] }
    const status = callbacks?.[0]?.status
    if (status !== 200) {
      // The sandbox tells it once; a provider would again, and then it would count.
      into.errors.push(`notification: ${status} ${callbacks?.[0]?.body.slice(0, 160)}`)
      return
    }
    into.paid.push({ key, id: data.id })
  }

  async function isPaid({ key, id }: { key: string; id: string }): Promise<boolean> {
    const { text } = await exchange(
      `${target.url}/v1/payments/${id}`,
      agents[0] as Agent,
      'GET',
      `ApiKey ${key}`,
    )
    return JSON.parse(text).data?.status === 'paid'
  }

  return {
    begin() {
      window = newWindow()
    },
    async end() {
      const ended = window
      window = newWindow()
      await Promise.allSettled(ended.open)
      const until = Date.now() + PAID_WITHIN_MS
      let unpaid = ended.paid
      while (unpaid.length > 0 && Date.now() < until) {
        const looks = await Promise.all(
          unpaid.map(async each => ({ each, is: await isPaid(each).catch(() => false) })),
        )
        unpaid = looks.filter(({ is }) => !is).map(({ each }) => each)
      }
      const sorted = ended.times.sort((a, b) => a - b)
      const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
      return {
        requests: sorted.length,
        errors: ended.errors,
        p50: at(0.5),
        p99: at(0.99),
        unpaid: unpaid.length,
      }
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      for (const agent of agents) agent.destroy()
    },
  }
}

/** The first shop calls from the attackers' own address. */
const addressOf = (n: number): string => (n === 0 ? '127.0.0.1' : `127.0.1.${n}`)

const order = () => ({
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'BCA' },
  customer_name: 'Budi Santoso',
})

function exchange(url: string, agent: Agent, method: string, auth: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = body && JSON.stringify(body)
    const headers = {
      authorization: auth,
      ...(sent && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(sent),
        'x-idempotency-key': randomUUID(),
      }),
    }
    const asked = request(url, { method, agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)))
    asked.on('error', reject)
    asked.end(sent)
  })
}
