// Runs five shops with a steady load. They create, get and list payments, and make the sandbox notify the service
// of paid payments.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { anOrder } from '../packages/server/test/support/order.ts'
import type { World } from './world.ts'

/**
 * The type of a measured interval. In a `control` interval, the attacker targets a decoy server; in an `attacked`
 * interval, it targets the service.
 */
export type Kind = 'control' | 'attacked'
/**
 * The results of one attack. Each p99 is the median over all intervals of one kind, so a single pause of the
 * machine hardly changes it.
 */
export type Figures = {
  requests: number
  errors: string[]
  unpaid: number
  p50: Record<Kind, number>
  p99: Record<Kind, number>
  /**
   * How much the p99 varies without an attack: the largest p99 of all intervals without an attack, divided by
   * the smallest.
   */
  noise: number
}

export type Shops = {
  /**
   * Starts measuring one attack. From this call on, errors are counted. Durations are recorded only during
   * attacked intervals and control intervals.
   */
  begin(): void
  stretch(kind: Kind | 'between'): void
  /**
   * Waits until all responses have arrived and the service has applied every notification of a paid payment.
   * Returns the measured figures.
   */
  end(): Promise<Figures>
  stop(): void
}

/**
 * The interval in milliseconds at which each simulated shop starts a sequence of requests. It is so short
 * that ten seconds yield enough requests for a meaningful p99.
 */
const EVERY_MS = 125
/**
 * The maximum number of request sequences that a shop (a simulated merchant) has in flight. Without this limit,
 * unfinished sequences would pile up on a slow machine.
 */
const ROUNDS_AT_ONCE = 3
const PAID_EACH = 8
const PAID_WITHIN_MS = 120_000
/** The maximum response time. A request that takes longer counts as an error. */
const PATIENCE_MS = 60_000

type Answer = { status: number; text: string }
type Stretch = { kind: Kind | 'between'; times: number[] }
type Trial = {
  stretches: Stretch[]
  errors: string[]
  open: Set<Promise<unknown>>
  paid: { key: string; id: string }[]
}

const newTrial = (): Trial => ({
  stretches: [{ kind: 'between', times: [] }],
  errors: [],
  open: new Set(),
  paid: [],
})

export function openShops({ target, merchantKeys }: World, everyMs = EVERY_MS): Shops {
  let trial = newTrial()
  const agents = merchantKeys.map((_, n) => new Agent({ keepAlive: true, localAddress: addressOf(n) }))
  const underWay = merchantKeys.map(() => 0)
  let turn = 0
  /**
   * The simulated shops start their request sequences one after another, because real shops do not send their
   * requests in unison.
   */
  const timer = setInterval(() => {
    const shop = turn++ % merchantKeys.length
    if ((underWay[shop] as number) >= ROUNDS_AT_ONCE) return
    void visitFrom(shop, Math.floor(turn / merchantKeys.length))
  }, everyMs / merchantKeys.length)

  async function visitFrom(shop: number, round: number): Promise<void> {
    const { open, errors } = trial
    const doing = visit(trial, merchantKeys[shop] as string, agents[shop] as Agent, round).catch(error => {
      errors.push(String(error))
    })
    underWay[shop] = (underWay[shop] as number) + 1
    open.add(doing)
    await doing
    underWay[shop] = (underWay[shop] as number) - 1
    open.delete(doing)
  }

  async function send(
    { stretches, errors }: Trial,
    agent: Agent,
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ data?: { id: string; payment_code: string; status: string } }> {
    const { times } = stretches.at(-1) as Stretch
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

  async function visit(into: Trial, key: string, agent: Agent, round: number): Promise<void> {
    const [{ data }] = await Promise.all([
      send(into, agent, key, 'POST', '/v1/payments/create', anOrder()),
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
      // The sandbox sends each notification only once, so a rejection counts as an error. A real provider would
      // retry.
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
      trial = newTrial()
    },
    stretch(kind) {
      trial.stretches.push({ kind, times: [] })
    },
    async end() {
      const ended = trial
      trial = newTrial()
      await Promise.allSettled(ended.open)
      const until = Date.now() + PAID_WITHIN_MS
      let unpaid = ended.paid
      while (unpaid.length > 0 && Date.now() < until) {
        const looks = await Promise.all(
          unpaid.map(async each => ({ each, is: await isPaid(each).catch(() => false) })),
        )
        unpaid = looks.filter(({ is }) => !is).map(({ each }) => each)
      }
      return { ...figuresOf(ended.stretches), errors: ended.errors, unpaid: unpaid.length }
    },
    stop() {
      clearInterval(timer)
      for (const agent of agents) agent.destroy()
    },
  }
}

function figuresOf(stretches: Stretch[]): Omit<Figures, 'errors' | 'unpaid'> {
  const timesOf = (kind: Kind) => stretches.filter(each => each.kind === kind).map(({ times }) => times)
  const [control, attacked] = [timesOf('control'), timesOf('attacked')]
  const p99s = (of: number[][]) => of.map(times => quantile(times, 0.99))
  return {
    requests: stretches.reduce((sum, { times }) => sum + times.length, 0),
    p50: { control: quantile(control.flat(), 0.5), attacked: quantile(attacked.flat(), 0.5) },
    p99: { control: quantile(p99s(control), 0.5), attacked: quantile(p99s(attacked), 0.5) },
    noise: Math.max(...p99s(control)) / Math.min(...p99s(control)),
  }
}

function quantile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? 0
}

/**
 * Returns the IP address of a shop (a simulated merchant). The first shop shares its address with the
 * simulated attackers.
 */
const addressOf = (n: number): string => (n === 0 ? '127.0.0.1' : `127.0.1.${n}`)

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
    asked.setTimeout(PATIENCE_MS, () =>
      asked.destroy(new Error(`no response within ${PATIENCE_MS / 1_000} s`)),
    )
    asked.on('error', reject)
    asked.end(sent)
  })
}
