// Monitors every call to a provider. Counts the call for /metrics, updates the provider account's health, and
// probes accounts whose circuit breaker is open. The health is kept in memory, so a database outage does not affect
// it. Each process has its own circuit breakers.

import { AsyncResource } from 'node:async_hooks'
import type { Registry } from 'prom-client'
import { type ExceededLimit, type FairSlots, fairSlots } from '../fairness/fair-slots.ts'
import type { Logger } from '../logging/log.ts'
import { addProviderTime } from '../logging/log.ts'
import type { ListedMethodType, MethodDetail } from '../payments/method.ts'
import { type InquiryResult, ProviderError, type ProviderErrorKind } from '../providers/provider.ts'
import { inSpan } from '../tracing/span.ts'
import { accountSlots } from './account-slots.ts'
import {
  afterCharge,
  afterProbe,
  type Figures,
  figuresOf,
  type Health,
  isBad,
  isProbeDue,
  newHealth,
  type ProbeResult,
  takeTrial,
} from './circuit-breaker.ts'
import type { LoadAccount, LoadedAccount } from './load-account.ts'
import { providerMetrics } from './provider-metrics.ts'
import { unresponsiveAccountLimit } from './unresponsive-account-limit.ts'

type MonitoredAccount = { accountId: string; providerCode: string }

export type AccountHealth = MonitoredAccount &
  Figures & {
    circuit: Health['circuit']['state']
    /** When the circuit breaker entered its current state. Null if it was never open. */
    since: Date | null
    /**
     * When the next probe is sent (an inquiry that tests whether the provider responds). Null if the circuit
     * breaker is not open.
     */
    nextProbeAt: Date | null
  }

/** A slot for one charge at a provider account, reserved before the payment is stored. */
export type ChargeSlot = {
  /**
   * Frees this charge slot. Does nothing if the slot was handed over to `monitor`, which then frees it
   * itself.
   */
  release(): void
  /**
   * Hands the slot over to the caller, which must free it later. Returns false if the slot has already been used
   * or freed.
   */
  use(): boolean
}

export type ProviderHealth = {
  /**
   * Calls the provider for the tenant, and returns the result or throws the error. A charge uses the reserved charge
   * slot `slot` or, if none is passed, any free slot. If no slot is free, throws `unavailable` without sending the
   * charge.
   */
  monitor<T>(
    account: MonitoredAccount & { tenantId: string; slot?: ChargeSlot | undefined },
    operation: 'charge' | 'inquiry',
    call: () => Promise<T>,
  ): Promise<T>
  /**
   * Returns the charge limit that the tenant has reached at this provider account, or undefined if another
   * charge is allowed.
   */
  exceededChargeLimit(account: MonitoredAccount, tenantId: string): ExceededLimit | undefined
  /**
   * Reserves a slot for a charge that the tenant sends to this provider account. Returns undefined if no slot is free.
   * The caller must release the slot when it no longer needs the slot.
   */
  reserveCharge(account: MonitoredAccount, tenantId: string): ChargeSlot | undefined
  /**
   * Returns whether the provider account's circuit breaker is open. A half-open circuit breaker allows one trial
   * charge at a time, so the function returns false to only one caller. This caller must then send a charge.
   */
  isOpen(accountId: string): boolean
  /**
   * Returns whether the provider account's circuit breaker is closed. Unlike `isOpen`, this function does not take the
   * single trial charge that a half-open circuit breaker allows.
   */
  isClosed(accountId: string): boolean
  /** Returns the health of every provider account called since the process started. */
  all(): AccountHealth[]
  stop(): void
}

type Outcome = ProviderErrorKind | 'answered' | 'untold'
type Timed = { outcome: Outcome; startedAtMs: number; durationMs: number }
/** A provider account's state. `tenants` divides the account's charge slots among the tenants. */
type Entry = MonitoredAccount & { health: Health; probing: boolean; tenants: FairSlots }

const TICK_MS = 1_000

/**
 * The maximum number of charges in flight in this process. It equals the maximum number of merchant requests
 * (http/admission/admission.ts). At most half of these charges can be at one provider account, so an unresponsive
 * account cannot use up all merchant requests.
 */
const MAX_CHARGES = 1_024
/**
 * The maximum number of charges that one tenant may have in flight at an unresponsive provider account. An account is
 * unresponsive if its last charge, from any tenant, got no response. At other accounts, tenants share the slots for
 * charges fairly. If the tenant's own charges get no response, the limits in unresponsive-account-limit.ts apply.
 */
const MAX_TENANT_CHARGES_WHILE_UNRESPONSIVE = 64

/**
 * A probe's order reference. No payment has this reference, because a payment code contains a date and never the
 * letter O (payment-code.ts).
 */
const PROBE_REFERENCE = 'GP000000-PROBEPROBE'

export function providerHealth(deps: {
  accountOf: LoadAccount
  clock: () => Date
  log: Logger
  registry: Registry
}): ProviderHealth {
  const metrics = providerMetrics(deps.registry)
  const entries = new Map<string, Entry>()
  const charges = accountSlots(MAX_CHARGES)
  const unresponsiveAccounts = unresponsiveAccountLimit()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const nowMs = () => deps.clock().getTime()

  function entryOf({ accountId, providerCode }: MonitoredAccount): Entry {
    const known = entries.get(accountId)
    if (known) return known
    const tenants = fairSlots(charges.slotsPerAccount)
    const entry = { accountId, providerCode, health: newHealth, probing: false, tenants }
    entries.set(accountId, entry)
    metrics.circuitOpen.set({ provider: providerCode, account: accountId }, 0)
    return entry
  }

  /** Calls a provider and records the outcome. `onEnd` is called before the caller gets the result. */
  async function timed<T>(
    { accountId, providerCode }: MonitoredAccount,
    operation: 'charge' | 'inquiry' | 'probe',
    call: () => Promise<T>,
    onEnd: (timed: Timed) => void,
  ): Promise<T> {
    const startedAtMs = nowMs()
    // Durations are measured with a monotonic clock, because the wall clock may be changed.
    const started = performance.now()
    let outcome: Outcome = 'answered'
    try {
      const result = await inSpan(
        `${providerCode} ${operation}`,
        { attributes: { 'gapura.provider': providerCode, 'gapura.provider_account_id': accountId } },
        call,
      )
      if (result === 'not_reported') outcome = 'untold'
      return result
    } catch (error) {
      // An error other than a ProviderError is a bug in this service. Such an error does not show what the
      // provider did, so the call's outcome is unknown.
      outcome = error instanceof ProviderError ? error.kind : 'unknown'
      throw error
    } finally {
      const durationMs = performance.now() - started
      const labels = { provider: providerCode, account: accountId, operation }
      metrics.requests.inc({ ...labels, outcome })
      metrics.seconds.observe(labels, durationMs / 1_000)
      addProviderTime(durationMs)
      onEnd({ outcome, startedAtMs, durationMs })
    }
  }

  function setHealth(entry: Entry, health: Health): void {
    const before = entry.health.circuit.state
    const { state } = health.circuit
    entry.health = health
    if (state === before) return
    const { accountId: account, providerCode: provider } = entry
    metrics.circuitOpen.set({ provider, account }, state === 'closed' ? 0 : 1)
    const { calls, failures, slow } = figuresOf(health, nowMs())
    const fields = { provider, providerAccountId: account, state, calls, failures, slow }
    if (state === 'open')
      deps.log.warn(
        fields,
        'circuit breaker opened: routing avoids the provider account because too many charges failed or were slow',
      )
    else deps.log.info(fields, 'circuit breaker of a provider account changed state')
    if (state === 'open' && !stopped) timer ??= setInterval(tick, TICK_MS).unref()
  }

  // The timer runs outside any request's context. Otherwise, its log lines would contain the id of the request that
  // started it.
  const tick = AsyncResource.bind(() => {
    const open = [...entries.values()].filter(entry => entry.health.circuit.state === 'open')
    if (open.length === 0) {
      clearInterval(timer)
      timer = undefined
    }
    for (const entry of open) if (!entry.probing && isProbeDue(entry.health, nowMs())) void probe(entry)
  })

  /**
   * Acquires one of the tenant's slots and one of the provider account's slots. If one of these slots would exceed a
   * limit, acquires neither slot and returns the limit.
   */
  function takeSlots({ accountId, tenants }: Entry, tenantId: string): ExceededLimit | undefined {
    // A tenant gets at most half of an account's slots, even if no other tenant uses the account. A tenant that exceeds
    // this limit gets the response 429, because the limit applies to this tenant only.
    const own = charges.isUnresponsive(accountId)
      ? MAX_TENANT_CHARGES_WHILE_UNRESPONSIVE
      : charges.slotsPerAccount / 2
    const bound = tenants.take(tenantId, Math.min(own, unresponsiveAccounts.limitOf(accountId, tenantId)))
    if (bound) return bound
    if (charges.take(accountId)) return undefined
    tenants.release(tenantId)
    return 'all'
  }

  /**
   * Frees the slots of a charge, for its account and for its tenant. `isAnswered` is true if the provider
   * responded, false if it did not, and undefined if no request was sent.
   */
  function releaseSlots(
    { accountId, tenants }: Entry,
    tenantId: string,
    isAnswered: boolean | undefined,
  ): void {
    charges.release(accountId, isAnswered)
    tenants.release(tenantId)
  }

  const isClosed = (accountId: string): boolean =>
    (entries.get(accountId)?.health.circuit.state ?? 'closed') === 'closed'

  async function probe(entry: Entry): Promise<void> {
    entry.probing = true
    try {
      const loaded = await deps.accountOf(entry.accountId)
      if (!loaded) return
      await timed(
        entry,
        'probe',
        () => inquireUnknownOrder(loaded, deps.clock()),
        result => setHealth(entry, afterProbe(entry.health, probeResultOf(result), nowMs())),
      )
    } catch (error) {
      // Either the provider or the service's database failed. The timer repeats the probe at its next tick.
      deps.log.info(
        { err: error, provider: entry.providerCode, providerAccountId: entry.accountId },
        'probe of a provider account failed',
      )
    } finally {
      entry.probing = false
    }
  }

  return {
    async monitor(account, operation, call) {
      const entry = entryOf(account)
      if (operation === 'charge') {
        if (!account.slot?.use() && takeSlots(entry, account.tenantId)) throw tooManyCharges()
        unresponsiveAccounts.start(account.accountId, account.tenantId)
      }
      return timed(account, operation, call, ({ outcome, ...times }) => {
        if (operation === 'charge') {
          releaseSlots(entry, account.tenantId, !isFailure(outcome))
          unresponsiveAccounts.end(account.accountId, account.tenantId, !isFailure(outcome))
          const charge = { tenantId: account.tenantId, ...times, failed: isFailure(outcome) }
          setHealth(entry, afterCharge(entry.health, charge, nowMs()))
        }
      })
    },
    exceededChargeLimit(account, tenantId) {
      const entry = entryOf(account)
      const bound = takeSlots(entry, tenantId)
      if (!bound) releaseSlots(entry, tenantId, undefined)
      return bound
    },
    reserveCharge(account, tenantId) {
      const entry = entryOf(account)
      if (takeSlots(entry, tenantId)) return undefined
      let isReserved = true
      const use = () => {
        const wasReserved = isReserved
        isReserved = false
        return wasReserved
      }
      return {
        use,
        release() {
          if (use()) releaseSlots(entry, tenantId, undefined)
        },
      }
    },
    isClosed,
    isOpen(accountId) {
      const entry = entries.get(accountId)
      if (!entry || isClosed(accountId)) return false
      const taken = takeTrial(entry.health, nowMs())
      if (taken) entry.health = taken
      return !taken
    },
    all: () => [...entries.values()].map(entry => viewOf(entry, nowMs())),
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

const tooManyCharges = () => new ProviderError('unavailable', 'too many charges are waiting for it')

const isFailure = (outcome: Outcome): boolean => outcome === 'unavailable' || outcome === 'unknown'

function probeResultOf({ outcome, durationMs }: Timed): ProbeResult {
  if (outcome === 'untold') return 'not_sent'
  return isBad({ failed: isFailure(outcome), durationMs }) ? 'failing' : 'healthy'
}

/**
 * Probes a provider account by inquiring about an order that does not exist. The payment methods are tried one
 * after another, because inquiries for some methods need the provider's id of an order. If no inquiry can be
 * sent, only a real charge can test the account.
 */
async function inquireUnknownOrder({ provider, account }: LoadedAccount, now: Date): Promise<InquiryResult> {
  for (const { type, channels } of provider.methods) {
    const channel = channels[0]?.code
    const methodDetail = channel && detailOf(type, channel)
    if (!methodDetail) continue
    const status = await provider.inquire(account, {
      reference: PROBE_REFERENCE,
      providerPaymentId: null,
      amount: 1_000_000n,
      channel,
      methodDetail,
      methodData: null,
      startedAt: now,
    })
    if (status !== 'not_reported') return status
  }
  return 'not_reported'
}

function detailOf(type: ListedMethodType, channel: string): MethodDetail | undefined {
  switch (type) {
    case 'virtual_account':
      return { type, bank: channel }
    case 'qris':
      return { type }
    case 'e_wallet':
      return { type, wallet_type: channel }
    case 'over_the_counter':
      return { type, store: channel }
    case 'cardless_credit':
      return undefined
  }
}

function viewOf({ accountId, providerCode, health }: Entry, nowMs: number): AccountHealth {
  const { circuit } = health
  return {
    accountId,
    providerCode,
    circuit: circuit.state,
    since: circuit.sinceMs === null ? null : new Date(circuit.sinceMs),
    ...figuresOf(health, nowMs),
    nextProbeAt: circuit.state === 'open' ? new Date(circuit.sinceMs + circuit.pauseMs) : null,
  }
}
