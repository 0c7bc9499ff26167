// Tracks a provider account's charges and decides whether new payments avoid the account. The circuit breaker opens if
// all of these conditions apply to the charges of the last minute:
//
// - There were at least 10 charges.
// - At least half of the charges failed or were slow.
// - At least half of the tenants that sent these charges are affected. If only one tenant is affected, the provider may
//   be rejecting all requests of this tenant.
//
// After a pause, a single probe or charge decides whether the circuit breaker closes.
//
// The circuit breaker does not count status inquiries, because successful inquiries would hide failing charges.

const BUCKET_MS = 5_000
const BUCKETS = 12
export const WINDOW_MS = BUCKET_MS * BUCKETS

/**
 * The minimum number of charges before a circuit breaker can open. With a lower minimum, a problem of one
 * second could open it, for example if two of three charges time out.
 */
export const MIN_CHARGES = 10
/** The duration above which a charge is slow. It is half of the time that a create request waits for the provider. */
export const SLOW_MS = 5_000
export const FIRST_PAUSE_MS = 10_000
export const LONGEST_PAUSE_MS = 120_000
/**
 * The maximum number of tenants stored per five-second bucket. If more tenants send charges, the first ones represent
 * all of them. An account has 12 buckets, so it stores at most 1,200 IDs (about 100 kB).
 */
export const MAX_TENANTS = 100
/**
 * How long a trial charge blocks the next one. Every charge ends within this time, so a trial charge that has no result
 * by then was never sent.
 */
export const TRIAL_MS = 25_000

/**
 * Charges are counted in classes by their duration. The upper bound of each class is 10% above the upper bound of the
 * previous class. The last class contains all durations above 32 s.
 */
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
  /**
   * Maps the ID of each tenant that sent a charge to true if any of its charges failed or was slow, and
   * otherwise to false.
   */
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
/** The charge counts of the last minute, oldest first. Each bucket contains the counts of five seconds. */
type Window = readonly Bucket[]

export const circuitStates = ['closed', 'open', 'half_open'] as const

type Circuit =
  /**
   * If the circuit breaker was never open, `sinceMs` and `pauseMs` are null. Otherwise, `pauseMs` is the
   * length of its last pause before a probe.
   */
  | { state: 'closed'; sinceMs: number | null; pauseMs: number | null }
  | { state: 'open'; sinceMs: number; pauseMs: number }
  /** `trialAtMs` is when the half-open circuit breaker last allowed a trial charge. */
  | { state: 'half_open'; sinceMs: number; pauseMs: number; trialAtMs: number | null }

export type Health = { window: Window; circuit: Circuit }

/**
 * A charge that has ended. `failed` is true if the provider was unavailable or the charge's outcome is unknown, but not
 * if the provider declined the charge.
 */
export type EndedCharge = { tenantId: string; startedAtMs: number; durationMs: number; failed: boolean }

/**
 * The result of a probe (a status inquiry that tests whether the provider responds). `not_sent`: the adapter could
 * not send the inquiry, so the result is inconclusive.
 */
export type ProbeResult = 'healthy' | 'failing' | 'not_sent'

export const newHealth: Health = {
  window: [],
  circuit: { state: 'closed', sinceMs: null, pauseMs: null },
}

export const isBad = ({ failed, durationMs }: Pick<EndedCharge, 'failed' | 'durationMs'>): boolean =>
  failed || durationMs > SLOW_MS

export function afterCharge(health: Health, charge: EndedCharge, nowMs: number): Health {
  const { circuit } = health
  // The result of a charge that started before the circuit breaker entered its current state does not reflect
  // the provider's current behavior.
  const isOld = circuit.sinceMs !== null && charge.startedAtMs < circuit.sinceMs && circuit.sinceMs <= nowMs
  if (isOld && circuit.state !== 'open') return health
  const window = withCharge(health.window, charge, nowMs)
  switch (circuit.state) {
    case 'closed':
      return shouldOpen(window)
        ? { window, circuit: opened(pauseBefore(circuit, nowMs), nowMs) }
        : { window, circuit }
    case 'half_open':
      return isBad(charge)
        ? { window, circuit: opened(doubledPause(circuit.pauseMs), nowMs) }
        : closed(health, nowMs)
    case 'open':
      return { window, circuit }
  }
}

function shouldOpen(window: Window): boolean {
  const { calls, bad } = sumOf(window)
  if (calls < MIN_CHARGES || 2 * bad < calls) return false
  const charging = new Set(window.flatMap(({ tenants }) => [...tenants.keys()]))
  const affected = [...charging].filter(id => window.some(({ tenants }) => tenants.get(id)))
  return 2 * affected.length >= charging.size
}

export function isProbeDue({ circuit }: Health, nowMs: number): boolean {
  if (circuit.state !== 'open') return false
  // If the clock was set back, a probe is due immediately. Otherwise, the circuit breaker would stay open at
  // least until the clock reaches the previous time again.
  return nowMs < circuit.sinceMs || nowMs >= circuit.sinceMs + circuit.pauseMs
}

export function afterProbe(health: Health, probed: ProbeResult, nowMs: number): Health {
  const { circuit } = health
  if (circuit.state !== 'open') return health
  if (probed === 'healthy') return closed(health, nowMs)
  // A probe is an inquiry about an order that does not exist. If the service cannot read the provider's response to
  // such an inquiry, every probe fails. The circuit breaker therefore becomes half-open after the longest pause between
  // probes. A half-open circuit breaker allows a real charge as a trial.
  const cannotSucceed = probed === 'failing' && circuit.pauseMs === LONGEST_PAUSE_MS
  if (probed === 'not_sent' || cannotSucceed)
    return { ...health, circuit: { ...circuit, state: 'half_open', sinceMs: nowMs, trialAtMs: null } }
  return { ...health, circuit: opened(doubledPause(circuit.pauseMs), nowMs) }
}

/**
 * If the circuit breaker is half-open, allows one trial charge, which tests whether the provider works again. Records
 * the time of the trial charge. Returns undefined if no trial charge is allowed now.
 */
export function takeTrial(health: Health, nowMs: number): Health | undefined {
  const { circuit } = health
  if (circuit.state !== 'half_open') return undefined
  const { trialAtMs } = circuit
  // A trial charge that was allowed may never be sent, because the caller may charge another account instead. No
  // result would then arrive, so the next trial charge is allowed after TRIAL_MS.
  if (trialAtMs !== null && nowMs >= trialAtMs && nowMs < trialAtMs + TRIAL_MS) return undefined
  return { ...health, circuit: { ...circuit, trialAtMs: nowMs } }
}

export type Figures = {
  calls: number
  failures: number
  slow: number
  /**
   * The median duration in milliseconds, which may be up to 10% above the exact value. Null if there were no
   * charges.
   */
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

const doubledPause = (pauseMs: number | null): number => Math.min(2 * (pauseMs ?? 0), LONGEST_PAUSE_MS)

/**
 * Returns the pause until the next probe for a circuit breaker that is opening. If the circuit breaker closed
 * only recently, the pause is doubled, because the provider responds to probes but not to charges.
 */
function pauseBefore(circuit: Circuit, nowMs: number): number {
  const { sinceMs, pauseMs } = circuit
  if (sinceMs === null || pauseMs === null || nowMs - sinceMs > LONGEST_PAUSE_MS) return FIRST_PAUSE_MS
  return doubledPause(pauseMs)
}

const slotOf = (nowMs: number): number => Math.floor(nowMs / BUCKET_MS)

/**
 * Drops the counts of charges older than a minute. Also drops counts with a future time, which can exist if the clock
 * was set back.
 */
function recentOf(window: Window, nowMs: number): Window {
  const now = slotOf(nowMs)
  return window.filter(({ slot }) => slot > now - BUCKETS && slot <= now)
}

function withCharge(window: Window, charge: EndedCharge, nowMs: number): Window {
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

function withTenant(tenants: Bucket['tenants'], charge: EndedCharge): Bucket['tenants'] {
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
