// Watches what is asked of providers: counts it for /metrics, keeps each account's health, and probes those
// whose circuit is open. Health is of this process and in its memory: what others meet is close to what it
// meets itself, and a database that is away takes no circuit with it.

import { AsyncResource } from 'node:async_hooks'
import type { Registry } from 'prom-client'
import { type FairPlaces, fairPlaces } from '../fair-places.ts'
import type { Logger } from '../log.ts'
import { addProviderTime } from '../log.ts'
import type { ListedMethodType, MethodDetail } from '../payments/method.ts'
import { ProviderError, type ProviderErrorKind, type ProviderWord } from '../providers/provider.ts'
import { inSpan } from '../tracing/span.ts'
import {
  afterCharge,
  afterProbe,
  type Figures,
  figuresOf,
  type Health,
  isBad,
  isProbeDue,
  newHealth,
  type Probed,
  takeTrial,
} from './health.ts'
import type { LoadAccount, LoadedAccount } from './load-account.ts'
import { placesFor } from './places.ts'
import { providerMetrics } from './provider-metrics.ts'

type WatchedAccount = { accountId: string; providerCode: string }

export type AccountHealth = WatchedAccount &
  Figures & {
    circuit: Health['circuit']['state']
    /** When the circuit came to be so; null where it has never been open. */
    since: Date | null
    /** Null unless it is open. */
    nextProbeAt: Date | null
  }

export type ProviderHealth = {
  /**
   * Its result and its error are those of the call, which is made for that tenant. A charge that there is no room for is
   * not made, and `unavailable`.
   */
  watch<T>(
    account: WatchedAccount & { tenantId: string },
    operation: 'charge' | 'inquiry',
    call: () => Promise<T>,
  ): Promise<T>
  /** False lets the caller charge; half-open, one caller at a time, who is then expected to do it. */
  isOpen(accountId: string): boolean
  /** Those that were called since the process began. */
  all(): AccountHealth[]
  stop(): void
}

type Outcome = ProviderErrorKind | 'answered' | 'untold'
type Timed = { outcome: Outcome; startedAtMs: number; durationMs: number }
/** tenants: the places for their charges. */
type Entry = WatchedAccount & { health: Health; probing: boolean; tenants: FairPlaces }

const TICK_MS = 1_000

/** As many as requests of merchants may be under way (http/admission.ts): no account's charges take all of these. */
const CHARGES_AT_ONCE = 1_024
/** Of one tenant at an account that did not answer the last time. Of others the tenants that charge have equal shares. */
const CHARGES_OF_TENANT_WHILE_SILENT = 64

/** Of no payment: a code has the day it was made on, and no O (payment-code.ts). */
const PROBE_REFERENCE = 'GP000000-PROBEPROBE'

export function watchHealth(deps: {
  accountOf: LoadAccount
  clock: () => Date
  log: Logger
  registry: Registry
}): ProviderHealth {
  const metrics = providerMetrics(deps.registry)
  const entries = new Map<string, Entry>()
  const charges = placesFor(CHARGES_AT_ONCE)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const nowMs = () => deps.clock().getTime()

  function entryOf({ accountId, providerCode }: WatchedAccount): Entry {
    const known = entries.get(accountId)
    if (known) return known
    const tenants = fairPlaces(charges.roomOfEach)
    const entry = { accountId, providerCode, health: newHealth, probing: false, tenants }
    entries.set(accountId, entry)
    metrics.circuitOpen.set({ provider: providerCode, account: accountId }, 0)
    return entry
  }

  /** Calls and counts; settled is told before whoever waits for the call goes on. */
  async function timed<T>(
    { accountId, providerCode }: WatchedAccount,
    operation: 'charge' | 'inquiry' | 'probe',
    call: () => Promise<T>,
    settled: (timed: Timed) => void,
  ): Promise<T> {
    const startedAtMs = nowMs()
    // The clock that tells the time may be put forward or back; what tells a duration may not.
    const started = performance.now()
    let outcome: Outcome = 'answered'
    try {
      const result = await inSpan(
        `${providerCode} ${operation}`,
        { attributes: { 'gapura.provider': providerCode, 'gapura.provider_account_id': accountId } },
        call,
      )
      if (result === 'untold') outcome = 'untold'
      return result
    } catch (error) {
      // What is no ProviderError is a fault of ours after which anything may have happened.
      outcome = error instanceof ProviderError ? error.kind : 'unknown'
      throw error
    } finally {
      const durationMs = performance.now() - started
      const labels = { provider: providerCode, account: accountId, operation }
      metrics.requests.inc({ ...labels, outcome })
      metrics.seconds.observe(labels, durationMs / 1_000)
      addProviderTime(durationMs)
      settled({ outcome, startedAtMs, durationMs })
    }
  }

  function become(entry: Entry, health: Health): void {
    const before = entry.health.circuit.state
    const { state } = health.circuit
    entry.health = health
    if (state === before) return
    const { accountId: account, providerCode: provider } = entry
    metrics.circuitOpen.set({ provider, account }, state === 'closed' ? 0 : 1)
    const { calls, failures, slow } = figuresOf(health, nowMs())
    const fields = { provider, providerAccountId: account, state, calls, failures, slow }
    if (state === 'open') deps.log.warn(fields, 'provider account is avoided: too many charges went badly')
    else deps.log.info(fields, 'circuit of a provider account changed')
    if (state === 'open' && !stopped) timer ??= setInterval(tick, TICK_MS).unref()
  }

  // Begun by a request, it would log with that request's id for as long as the circuit is open.
  const tick = AsyncResource.bind(() => {
    const open = [...entries.values()].filter(entry => entry.health.circuit.state === 'open')
    if (open.length === 0) {
      clearInterval(timer)
      timer = undefined
    }
    for (const entry of open) if (!entry.probing && isProbeDue(entry.health, nowMs())) void probe(entry)
  })

  /** Throws where as many wait already. */
  function takeCharge({ accountId, tenants }: Entry, tenantId: string): void {
    const own = charges.isSilent(accountId) ? CHARGES_OF_TENANT_WHILE_SILENT : charges.roomOfEach
    if (tenants.take(tenantId, own)) throw tooMany('too many charges of this tenant are waiting for it')
    if (charges.take(accountId)) return
    tenants.free(tenantId)
    throw tooMany('too many charges are waiting for it')
  }

  async function probe(entry: Entry): Promise<void> {
    entry.probing = true
    try {
      const loaded = await deps.accountOf(entry.accountId)
      if (!loaded) return
      await timed(
        entry,
        'probe',
        () => askAboutNothing(loaded, deps.clock()),
        result => become(entry, afterProbe(entry.health, probedOf(result), nowMs())),
      )
    } catch (error) {
      // Whether the provider did not answer or our own database did not: the next tick goes on from there.
      deps.log.info(
        { err: error, provider: entry.providerCode, providerAccountId: entry.accountId },
        'probe failed',
      )
    } finally {
      entry.probing = false
    }
  }

  return {
    async watch(account, operation, call) {
      const entry = entryOf(account)
      if (operation === 'charge') takeCharge(entry, account.tenantId)
      return timed(account, operation, call, ({ outcome, ...times }) => {
        if (operation === 'charge') {
          charges.free(account.accountId, !isFailure(outcome))
          entry.tenants.free(account.tenantId)
          const charge = { tenantId: account.tenantId, ...times, failed: isFailure(outcome) }
          become(entry, afterCharge(entry.health, charge, nowMs()))
        }
      })
    },
    isOpen(accountId) {
      const entry = entries.get(accountId)
      if (!entry || entry.health.circuit.state === 'closed') return false
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

const tooMany = (detail: string) => new ProviderError('unavailable', detail)

const isFailure = (outcome: Outcome): boolean => outcome === 'unavailable' || outcome === 'unknown'

function probedOf({ outcome, durationMs }: Timed): Probed {
  if (outcome === 'untold') return 'untold'
  return isBad({ failed: isFailure(outcome), durationMs }) ? 'failing' : 'healthy'
}

/**
 * An inquiry about an order that never was. Which orders an adapter can ask about differs by method: where the
 * provider only knows its own ids there is none to ask by, and the answer is `untold` without a request. So each
 * method is tried until one really asks; where none does, a real charge has to be the probe.
 */
async function askAboutNothing({ provider, account }: LoadedAccount, now: Date): Promise<ProviderWord> {
  for (const { type, channels } of provider.methods) {
    const channel = channels[0]?.code
    const methodDetail = channel && detailOf(type, channel)
    if (!methodDetail) continue
    const word = await provider.inquire(account, {
      reference: PROBE_REFERENCE,
      providerPaymentId: null,
      amount: 1_000_000n,
      channel,
      methodDetail,
      methodData: null,
      startedAt: now,
    })
    if (word !== 'untold') return word
  }
  return 'untold'
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
