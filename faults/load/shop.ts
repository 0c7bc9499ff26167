// Simulates the merchants and their customers. Create requests are retried with the same key until their outcome is
// known. Each customer then pays, cancels or does nothing, as planned (plan.ts).

import { setTimeout as pause } from 'node:timers/promises'
import type { AnsweredCreate, AnsweredRefund } from '../checker/evidence.ts'
import { EXPIRY_MINUTES, type Merchant, type Method } from '../cluster/merchants.ts'
import { patience } from '../recovery/patience.ts'
import { openRefunds } from './merchant-refunds.ts'
import type { Plan } from './plan.ts'

export type Shop = {
  answered: AnsweredCreate[]
  /** The merchants' refund requests that the service answered with 200. */
  answeredRefunds: AnsweredRefund[]
  /** The times, measured with `performance.now()`, at which the service confirmed create requests. */
  answeredAtMs: number[]
  /** Returns the sent create requests whose outcome is still unknown. */
  open(): { tenantId: string; key: string }[]
  /** The number of permanently rejected create requests for each error message. */
  refusals: Map<string, number>
  requests(): number
  /**
   * Resolves when all planned orders have been attempted. Create requests that got no response are retried later by
   * `repeatOpen`.
   */
  run(plans: Plan[], signal: AbortSignal): Promise<void>
  /**
   * Retries create and refund requests until each has a response. Stops early if no request gets a response for
   * `unansweredForMs` milliseconds.
   */
  repeatOpen(unansweredForMs: number): Promise<void>
}

/** Rounds an amount down to whole rupiah, because providers accept only whole rupiah. */
const inRupiah = (cents: number): number => Math.floor(cents / 100) * 100

/**
 * The types of payment methods that some providers can refund. For the other types, the Owner (the service's
 * operator) transfers the money to the payer.
 */
const refundableTypes = ['qris', 'e_wallet']

/**
 * Returns the payment methods that an order can use. If the merchant will refund the order, returns only methods that
 * providers can refund, unless the merchant has no such method. For most other methods, the Owner (the service's
 * operator) would have to transfer the money.
 */
function methodsFor({ fate }: Plan, { methods }: Merchant): Method[] {
  const refundable = methods.filter(({ method_type }) => refundableTypes.includes(method_type))
  return fate.startsWith('merchant') && refundable.length > 0 ? refundable : methods
}

type Order = { plan: Plan; merchant: Merchant; body: string; key: string }
type Payment = { id: string; payment_code: string; amount: number; idempotency_key: string; status: string }

const REQUEST_TIMEOUT_MS = 20_000
const REPEAT_PAUSE_MS = 700
const SIMULATION_TIMEOUT_MS = 25_000
const LOOK_EVERY_MS = 100

type Place = { url: string; sandboxUrl: string; merchants: Merchant[]; name: string }

export function openShop({ url, sandboxUrl, merchants, name }: Place): Shop {
  const answered: AnsweredCreate[] = []
  const answeredAtMs: number[] = []
  const refusals = new Map<string, number>()
  const open = new Set<Order>()
  let requests = 0
  const refunds = openRefunds({ url, sent: () => void requests++ })

  function orderOf(plan: Plan): Order {
    const merchant = merchants[Math.floor(plan.merchant * merchants.length)] as Merchant
    const methods = methodsFor(plan, merchant)
    const method = methods[Math.floor(plan.method * methods.length)]
    const body = JSON.stringify({
      amount: plan.amountCents,
      currency: 'IDR',
      ...method,
      customer_name: plan.customer,
      customer_phone: '081234567890',
      expiry_minutes: EXPIRY_MINUTES,
    })
    return { plan, merchant, body, key: `${name}-${plan.n}` }
  }

  const post = (path: string, { merchant, body, key }: Order, withBody: boolean): Promise<Response> => {
    requests++
    return fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `ApiKey ${merchant.key}`,
        'x-idempotency-key': key,
        ...(withBody && { 'content-type': 'application/json' }),
      },
      ...(withBody && { body }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
  }

  /**
   * Creates a payment. Returns undefined if the outcome is unknown, and null if the service rejected the
   * request permanently.
   */
  async function create(order: Order): Promise<Payment | undefined | null> {
    try {
      const response = await post('/v1/payments/create', order, true)
      const { data, error } = (await response.json()) as { data?: Payment; error?: { message: string } }
      if (response.status === 200 && data) {
        answeredAtMs.push(performance.now())
        answered.push({
          tenantId: order.merchant.tenantId,
          key: order.key,
          id: data.id,
          code: data.payment_code,
          amount: BigInt(data.amount),
          isEcho: data.idempotency_key === order.key && data.amount === order.plan.amountCents,
        })
        return data
      }
      const isFinal = [400, 401, 403, 404].includes(response.status)
      if (isFinal) refusals.set(error?.message ?? '', (refusals.get(error?.message ?? '') ?? 0) + 1)
      return isFinal ? null : undefined
    } catch {
      return undefined
    }
  }

  async function createOnce(order: Order): Promise<Payment | undefined> {
    const [first, second] = await Promise.all([create(order), order.plan.isDoubled && create(order)])
    const payment = first || second
    if (payment || first === null) open.delete(order)
    return payment || undefined
  }

  async function live(order: Order, payment: Payment, signal: AbortSignal): Promise<void> {
    // If a create request succeeds only after its payment has expired, the simulated customer does not pay, because no
    // provider would accept the money.
    if (payment.status === 'expired') return
    const { fate, hesitatesMs, copies, amountCents } = order.plan
    await pause(hesitatesMs)
    const simulate = (path: string, wanted: object) =>
      fetch(sandboxUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payment_code: payment.payment_code, outcome: 'paid', ...wanted }),
        signal: AbortSignal.timeout(SIMULATION_TIMEOUT_MS),
      }).then(response => response.text())
    if (fate.startsWith('cancelled'))
      await post(`/v1/payments/${payment.id}/cancel`, order, false).catch(() => {})
    if (fate === 'paid' || fate === 'cancelled and paid') await simulate('/simulate', { copies })
    if (fate === 'paid silently') await simulate('/simulate/silently', {})
    if (fate === 'paid in parts') await simulate('/simulate', { amount: inRupiah(amountCents / 2) })
    if (
      ['paid in parts', 'paid and more', 'refunded', 'charged back'].includes(fate) ||
      fate.startsWith('merchant')
    )
      await simulate('/simulate', { copies })
    if (fate === 'paid and more') await simulate('/simulate', { amount: inRupiah(amountCents * 1.5) })
    if (fate === 'refunded')
      await simulate('/simulate', { outcome: 'partially_refunded', amount: inRupiah(amountCents / 3) })
    if (fate === 'charged back') await simulate('/simulate', { outcome: 'chargeback' })
    if (fate.startsWith('merchant')) await refunds.request(refundOf(order, payment), signal)
    if (fate === 'forged') await simulate('/simulate', { bad_signature: true })
  }

  const refundOf = ({ plan, merchant, key }: Order, { id: paymentId }: Payment) => ({
    ...{ tenantId: merchant.tenantId, apiKey: merchant.key, key: `${key}-refund`, paymentId },
    amount: plan.fate === 'merchant refunds a part' ? inRupiah(plan.amountCents / 3) * 100 : undefined,
    isDoubled: plan.isDoubled,
  })

  async function serve(order: Order, signal: AbortSignal): Promise<void> {
    for (;;) {
      const payment = await createOnce(order)
      // If this simulated payment times out, its result does not matter here, because the checker reads it from the
      // sandbox's records.
      if (payment) return live(order, payment, signal).catch(() => {})
      if (!open.has(order) || signal.aborted) return
      await pause(REPEAT_PAUSE_MS)
    }
  }

  return {
    answered,
    answeredRefunds: refunds.answered,
    answeredAtMs,
    open: () => [...open].map(({ merchant: { tenantId }, key }) => ({ tenantId, key })),
    refusals,
    requests: () => requests,
    async run(plans, signal) {
      const startedAt = performance.now()
      signal.addEventListener('abort', refunds.stopWaiting)
      await Promise.all(
        plans.map(async plan => {
          await pause(Math.max(0, plan.atMs - (performance.now() - startedAt)))
          const order = orderOf(plan)
          open.add(order)
          await serve(order, signal)
        }),
      )
    },
    async repeatOpen(unansweredForMs) {
      const over = new AbortController()
      const isStuck = patience(unansweredForMs)
      const served = Promise.all([
        ...[...open].map(order => serve(order, over.signal)),
        refunds.repeatOpen(over.signal),
      ]).finally(() => over.abort())
      while (!over.signal.aborted) {
        if (isStuck(open.size)) over.abort()
        await pause(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
      }
      await served
    },
  }
}
