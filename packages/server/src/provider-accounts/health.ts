// How a provider account takes charges: the last minute of them, and a circuit that opens when too many go
// badly. The rule it holds: a circuit opens only on ten or more charges of which half or more were bad, and only
// if half or more of the tenants that charged met a bad one; an open one stays so for its pause, and then one
// question or one charge decides, never a crowd.
//
// An account serves many tenants, and one of them can send what the provider, or a firewall in front of it, does not
// answer readably. That is its own trouble: the account must not be taken from all others for it.
//
// Charges alone are judged, since routing chooses for charges: inquiries that are answered would hide charges
// that fail, and inquiries that fail say nothing of a provider that still takes charges.

const BUCKET_MS = 5_000
const BUCKETS = 12
export const WINDOW_MS = BUCKET_MS * BUCKETS

/** Fewer prove nothing: two time-outs of three charges are a bad second, not a bad provider. */
export const MIN_CHARGES = 10
/** Half of what a create waits for its provider. */
export const SLOW_MS = 5_000
export const FIRST_PAUSE_MS = 10_000
export const LONGEST_PAUSE_MS = 120_000
/**
 * Kept for a bucket, the first that come: those of so many tenants that met a bad charge are as large a share as
 * those of all, and however many there are, an account keeps at most 1,200 ids, about 100 kB.
 */
export const MAX_TENANTS = 100
/** Longer than a charge takes, its token included: a trial that did not end by then was never begun. */
export const TRIAL_MS = 25_000

/** Durations are counted in classes, each a tenth above the one before; the last takes all from 35 s on. */
const CLASS_RATIO = 1.1
const CLASSES = 111
const none: readonly number[] = new Array<number>(CLASSES).fill(0)

type Bucket = {
  slot: number
  calls: number
  failures: number
  slow: number
  bad: number
  classes: readonly number[]
  /** By id, whether it met a bad one. */
  tenants: ReadonlyMap<string, boolean>
}
const empty: Omit<Bucket, 'slot'> = {
  calls: 0,
  failures: 0,
  slow: 0,
  bad: 0,
  classes: none,
  tenants: new Map(),
}
/** Oldest first. */
type Window = readonly Bucket[]

type Circuit =
  /** sinceMs is null, and so is the pause before, where it has never been open. */
  | { state: 'closed'; sinceMs: number | null; pauseMs: number | null }
  | { state: 'open'; sinceMs: number; pauseMs: number }
  /** trialAtMs: when a charge was let through last. */
  | { state: 'half_open'; sinceMs: number; pauseMs: number; trialAtMs: number | null }

export type Health = { window: Window; circuit: Circuit }

/** failed: nobody knows what came of it, or the provider could not take it. A refusal is an answer. */
export type Charge = { tenantId: string; startedAtMs: number; durationMs: number; failed: boolean }

/** `untold`: the adapter has no question to ask, so nothing was learned. */
export type Probed = 'healthy' | 'failing' | 'untold'

export const newHealth: Health = {
  window: [],
  circuit: { state: 'closed', sinceMs: null, pauseMs: null },
}

export const isBad = ({ failed, durationMs }: Pick<Charge, 'failed' | 'durationMs'>): boolean =>
  failed || durationMs > SLOW_MS

export function afterCharge(health: Health, charge: Charge, nowMs: number): Health {
  const { circuit } = health
  // Those that hung while the circuit was open end after it closed; they tell of the time before.
  const isOld = circuit.sinceMs !== null && charge.startedAtMs < circuit.sinceMs && circuit.sinceMs <= nowMs
  if (isOld && circuit.state !== 'open') return health
  const window = counted(health.window, charge, nowMs)
  switch (circuit.state) {
    case 'closed':
      return goesBadly(window)
        ? { window, circuit: opened(pauseBefore(circuit, nowMs), nowMs) }
        : { window, circuit }
    case 'half_open':
      return isBad(charge)
        ? { window, circuit: opened(longer(circuit.pauseMs), nowMs) }
        : closed(health, nowMs)
    case 'open':
      return { window, circuit }
  }
}

function goesBadly(window: Window): boolean {
  const { calls, bad } = sumOf(window)
  if (calls < MIN_CHARGES || 2 * bad < calls) return false
  const charging = new Set(window.flatMap(({ tenants }) => [...tenants.keys()]))
  const affected = [...charging].filter(id => window.some(({ tenants }) => tenants.get(id)))
  return 2 * affected.length >= charging.size
}

export function isProbeDue({ circuit }: Health, nowMs: number): boolean {
  if (circuit.state !== 'open') return false
  // A clock that was put back would keep it open for as long as it was put back.
  return nowMs < circuit.sinceMs || nowMs >= circuit.sinceMs + circuit.pauseMs
}

export function afterProbe(health: Health, probed: Probed, nowMs: number): Health {
  const { circuit } = health
  if (circuit.state !== 'open') return health
  if (probed === 'healthy') return closed(health, nowMs)
  // A provider whose answer about an order that never was cannot be read would be avoided for ever; after the
  // longest pause a charge is tried all the same.
  const asksInVain = probed === 'failing' && circuit.pauseMs === LONGEST_PAUSE_MS
  if (probed === 'untold' || asksInVain)
    return { ...health, circuit: { ...circuit, state: 'half_open', sinceMs: nowMs, trialAtMs: null } }
  return { ...health, circuit: opened(longer(circuit.pauseMs), nowMs) }
}

/** The health with its one trial given away; undefined where there is none to give. */
export function takeTrial(health: Health, nowMs: number): Health | undefined {
  const { circuit } = health
  if (circuit.state !== 'half_open') return undefined
  const { trialAtMs } = circuit
  // Whoever asked may have chosen another account after all, so a trial that brings nothing is given again.
  if (trialAtMs !== null && nowMs >= trialAtMs && nowMs < trialAtMs + TRIAL_MS) return undefined
  return { ...health, circuit: { ...circuit, trialAtMs: nowMs } }
}

export type Figures = {
  calls: number
  failures: number
  slow: number
  /** Null without calls; at most a tenth above the true one. */
  p50Ms: number | null
  p95Ms: number | null
}

export function figuresOf(health: Health, nowMs: number): Figures {
  const window = recentOf(health.window, nowMs)
  const { calls, failures, slow } = sumOf(window)
  return { calls, failures, slow, p50Ms: percentile(window, 0.5), p95Ms: percentile(window, 0.95) }
}

const opened = (pauseMs: number, nowMs: number): Circuit => ({ state: 'open', sinceMs: nowMs, pauseMs })

const closed = ({ circuit }: Health, nowMs: number): Health => ({
  window: [],
  circuit: { state: 'closed', sinceMs: nowMs, pauseMs: circuit.pauseMs },
})

const longer = (pauseMs: number | null): number => Math.min(2 * (pauseMs ?? 0), LONGEST_PAUSE_MS)

/** Closed by a probe and bad again soon: the provider answers questions but takes no charges. */
function pauseBefore(circuit: Circuit, nowMs: number): number {
  const { sinceMs, pauseMs } = circuit
  if (sinceMs === null || pauseMs === null || nowMs - sinceMs > LONGEST_PAUSE_MS) return FIRST_PAUSE_MS
  return longer(pauseMs)
}

const slotOf = (nowMs: number): number => Math.floor(nowMs / BUCKET_MS)

/** A slot that is yet to come is of a clock that was put back. */
function recentOf(window: Window, nowMs: number): Window {
  const now = slotOf(nowMs)
  return window.filter(({ slot }) => slot > now - BUCKETS && slot <= now)
}

function counted(window: Window, charge: Charge, nowMs: number): Window {
  const recent = recentOf(window, nowMs)
  const slot = slotOf(nowMs)
  const last = recent.at(-1)
  const bucket = last?.slot === slot ? last : { ...empty, slot }
  const at = classOf(charge.durationMs)
  return [
    ...recent.filter(each => each !== bucket),
    {
      slot,
      calls: bucket.calls + 1,
      failures: bucket.failures + Number(charge.failed),
      slow: bucket.slow + Number(charge.durationMs > SLOW_MS),
      bad: bucket.bad + Number(isBad(charge)),
      classes: bucket.classes.with(at, (bucket.classes[at] ?? 0) + 1),
      tenants: withTenant(bucket.tenants, charge),
    },
  ]
}

function withTenant(tenants: Bucket['tenants'], charge: Charge): Bucket['tenants'] {
  const { tenantId } = charge
  const known = tenants.get(tenantId)
  const isAffected = known === true || isBad(charge)
  if (known === isAffected || (known === undefined && tenants.size >= MAX_TENANTS)) return tenants
  return new Map(tenants).set(tenantId, isAffected)
}

const sumOf = (window: Window) =>
  window.reduce(
    (sum, { calls, failures, slow, bad }) => ({
      calls: sum.calls + calls,
      failures: sum.failures + failures,
      slow: sum.slow + slow,
      bad: sum.bad + bad,
    }),
    { calls: 0, failures: 0, slow: 0, bad: 0 },
  )

function classOf(durationMs: number): number {
  const at = Math.ceil(Math.log(Math.max(1, durationMs)) / Math.log(CLASS_RATIO))
  return Math.min(at, CLASSES - 1)
}

function percentile(window: Window, share: number): number | null {
  const counts = none.map((_, at) => window.reduce((sum, { classes }) => sum + (classes[at] ?? 0), 0))
  const wanted = Math.ceil(share * sumOf(window).calls)
  if (wanted === 0) return null
  let seen = 0
  const at = counts.findIndex(count => {
    seen += count
    return seen >= wanted
  })
  return Math.ceil(CLASS_RATIO ** at)
}
