import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noCallbackRules } from '../../test/support/make.ts'
import { createLog, currentRequestId, withRequestId } from '../logging/log.ts'
import {
  type AnyProvider,
  type Inquiry,
  type InquiryResult,
  ProviderError,
  type ProviderErrorKind,
} from '../providers/provider.ts'
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, MIN_CHARGES, SLOW_MS } from './circuit-breaker.ts'
import { providerHealth } from './provider-health.ts'

const account = { accountId: 'account-1', providerCode: 'north', tenantId: 'tenant-1' }
const other = { accountId: 'account-2', providerCode: 'north', tenantId: 'tenant-1' }
const limits = { wholeRupiah: true, minExpiryMinutes: 1, maxExpiryMinutes: 60 }
const methods = (['cardless_credit', 'virtual_account', 'qris'] as const).map(type => ({
  type,
  channels: [{ code: `${type}-1`, name: '', limits }],
}))

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) }))
afterEach(() => void vi.useRealTimers())

// The logger is created before the fake timers are installed, because the logger uses a timer.
const log = createLog('silent')

/** Returns a health monitor for a simulated provider that uses `inquire` to respond to probes. */
function watched(
  inquire: (inquiry: Inquiry) => Promise<InquiryResult> = async () => 'absent',
  clock = () => new Date(),
) {
  const registry = new Registry()
  const probes: Inquiry[] = []
  const provider = {
    code: 'north',
    methods,
    inquire: (_: unknown, inquiry: Inquiry) => {
      probes.push(inquiry)
      return inquire(inquiry)
    },
  } as unknown as AnyProvider
  const accountOf = vi.fn(async (id: string) => ({
    provider,
    account: { id, mode: 'test' as const, credentials: {}, baseUrl: null },
    callbackRules: noCallbackRules,
  }))
  const health = providerHealth({ accountOf, clock, log, registry })
  const charge = (outcome: () => Promise<unknown>, of = account) =>
    health.monitor(of, 'charge', outcome).then(
      value => value,
      error => error,
    )
  const stateOf = (of = account) => health.all().find(each => each.accountId === of.accountId)?.circuit
  const line = async (name: string, labels: Record<string, string> = {}) => {
    const metric = (await registry.getMetricsAsJSON()).find(each => each.name === name)
    const values = metric?.values as { labels: Record<string, string>; value: number }[] | undefined
    return values?.find(each => Object.entries(labels).every(([key, value]) => each.labels[key] === value))
      ?.value
  }
  return { health, charge, probes, accountOf, stateOf, line, registry }
}

const refused = (kind: ProviderErrorKind) => async () => {
  throw new ProviderError(kind, kind)
}
const taking = (ms: number) => () => new Promise(resolve => setTimeout(resolve, ms))
async function breakDown({ charge }: ReturnType<typeof watched>, of = account): Promise<void> {
  for (let n = 0; n < MIN_CHARGES; n++) await charge(refused('unknown'), of)
}

describe("monitoring never changes a provider's result, but limits charges to an unresponsive account", () => {
  test('monitoring a request to a provider changes neither its result nor the error it throws', async () => {
    const { health } = watched()
    const result = { providerPaymentId: '1' }
    expect(await health.monitor(account, 'charge', async () => result)).toBe(result)
    const error = new ProviderError('declined', 'no')
    await expect(health.monitor(account, 'charge', () => Promise.reject(error))).rejects.toBe(error)
    const fault = () => {
      throw new TypeError('thrown before there is a promise')
    }
    await expect(health.monitor(account, 'inquiry', fault)).rejects.toThrow(TypeError)
  })

  test("a tenant can use at most half of a provider account's charge slots", async () => {
    const { health, charge, stateOf } = watched()
    const gate = Promise.withResolvers<void>()
    const waiting = [...Array(256)].map(() => charge(() => gate.promise))
    let calls = 0
    const count = async () => {
      calls += 1
    }
    const boundOf = (of: typeof account, tenantId = of.tenantId) => health.exceededChargeLimit(of, tenantId)
    expect([boundOf(account), boundOf(account, 'tenant-2'), boundOf(other)]).toEqual([
      'own',
      undefined,
      undefined,
    ])
    expect(await charge(count)).toMatchObject({ name: 'ProviderError', kind: 'unavailable' })
    expect(calls).toBe(0)
    expect(stateOf()).toBe('closed')
    await charge(count, other)
    await charge(count, { ...account, tenantId: 'tenant-2' })
    await health.monitor(account, 'inquiry', count)
    expect(calls).toBe(3)
    gate.resolve()
    await Promise.all(waiting)
    expect(boundOf(account)).toBe(undefined)
    await charge(count)
    expect(calls).toBe(4)
  })

  test("if an account does not respond to one tenant, only this tenant's charges in flight are limited", async () => {
    const { charge, health } = watched()
    const silent = () => Promise.reject(new ProviderError('unknown', 'no answer'))
    await charge(silent)
    const gate = Promise.withResolvers<void>()
    const waiting = [...Array(64)].map(() => charge(() => gate.promise))
    const charged = async () => 'charged'
    expect(await charge(charged)).toMatchObject({ kind: 'unavailable' })
    expect(health.exceededChargeLimit(account, account.tenantId)).toBe('own')
    expect(await charge(charged, { ...account, tenantId: 'tenant-2' })).toBe('charged')
    gate.resolve()
    await Promise.all(waiting)
    expect(await charge(charged)).toBe('charged')
  })

  test("once an account has been unresponsive for a second, a tenant's charges in flight are limited", async () => {
    const { charge, health } = watched()
    const gate = Promise.withResolvers<void>()
    const waiting = [...Array(100)].map(() => charge(() => gate.promise))
    const boundOf = (tenantId: string) => health.exceededChargeLimit(account, tenantId)
    expect(boundOf('tenant-1')).toBe(undefined)
    vi.advanceTimersByTime(999)
    expect(boundOf('tenant-1')).toBe(undefined)
    vi.advanceTimersByTime(2)
    expect([boundOf('tenant-1'), boundOf('tenant-2')]).toEqual(['own', undefined])
    expect(await charge(async () => 'charged', { ...account, tenantId: 'tenant-2' })).toBe('charged')
    expect(boundOf('tenant-1')).toBe('own')
    gate.resolve()
    await Promise.all(waiting)
    expect(boundOf('tenant-1')).toBe(undefined)
  })

  test("slow responses do not limit a tenant's charges in flight, as long as a response arrives every second", async () => {
    const { charge, health } = watched()
    const waiting = [...Array(100)].map((_, n) => charge(taking(900 + 30 * n)))
    for (let ms = 0; ms < 2_000; ms += 100) {
      await vi.advanceTimersByTimeAsync(100)
      expect(health.exceededChargeLimit(account, account.tenantId)).toBe(undefined)
    }
    await vi.advanceTimersByTimeAsync(5_000)
    await Promise.all(waiting)
  })

  test.each<[ProviderErrorKind, string]>([
    ['unavailable', 'open'],
    ['unknown', 'open'],
    ['declined', 'closed'],
    ['invalid', 'closed'],
    ['inactive', 'closed'],
  ])('after ten charges with the error `%s`, the circuit breaker is %s', async (kind, state) => {
    const { charge, stateOf } = watched()
    for (let n = 0; n < MIN_CHARGES; n++) await charge(refused(kind))
    expect(stateOf()).toBe(state)
  })

  test('one of three tenants cannot open the circuit breaker alone, however many of its charges fail', async () => {
    const service = watched()
    const { charge, health, stateOf } = service
    for (const tenantId of ['tenant-2', 'tenant-3'])
      await charge(async () => 'taken', { ...account, tenantId })
    await breakDown(service)
    expect([stateOf(), health.isOpen(account.accountId)]).toEqual(['closed', false])
    await charge(refused('unknown'), { ...account, tenantId: 'tenant-2' })
    expect([stateOf(), health.isOpen(account.accountId)]).toEqual(['open', true])
  })

  test('a charge that ends in an internal error counts as failed', async () => {
    const { charge, health } = watched()
    await charge(() => Promise.reject(new TypeError('not as it was expected')))
    expect(health.all()).toMatchObject([{ calls: 1, failures: 1 }])
  })

  test('system clock changes do not affect the measured duration of requests', async () => {
    const { charge, health, stateOf } = watched()
    const quick = charge(taking(1_000))
    vi.setSystemTime(Date.now() + 3_600_000)
    await vi.advanceTimersByTimeAsync(1_000)
    await quick
    expect(health.all()).toMatchObject([{ calls: 1, slow: 0 }])
    const hanging = Array.from({ length: MIN_CHARGES }, () => charge(taking(SLOW_MS + 1)))
    await vi.advanceTimersByTimeAsync(SLOW_MS + 1)
    await Promise.all(hanging)
    expect(stateOf()).toBe('open')
  })

  test('status inquiries are measured, but neither open a circuit breaker nor keep it closed', async () => {
    const { health, charge, stateOf, line } = watched()
    const inquiry = (call: () => Promise<unknown>) => health.monitor(account, 'inquiry', call).catch(() => {})
    for (let n = 0; n < MIN_CHARGES; n++) await inquiry(refused('unknown'))
    expect(stateOf()).toBe('closed')
    expect(health.all()).toMatchObject([{ calls: 0 }])
    for (let n = 0; n < 100; n++) await inquiry(async () => 'absent')
    for (let n = 0; n < MIN_CHARGES; n++) await charge(refused('unknown'))
    expect(stateOf()).toBe('open')
    expect(await line('gapura_provider_requests_total', { operation: 'inquiry', outcome: 'answered' })).toBe(
      100,
    )
  })
})

describe('while a circuit breaker is open, the provider is probed (sent test inquiries) until it responds', () => {
  test('an open circuit breaker affects only its own provider account and is visible in the metrics', async () => {
    const service = watched()
    const { health, charge, stateOf, line } = service
    await charge(async () => 'taken', other)
    expect(health.isOpen(account.accountId)).toBe(false)
    await breakDown(service)
    expect([health.isOpen(account.accountId), health.isOpen(other.accountId)]).toEqual([true, false])
    expect([stateOf(), stateOf(other)]).toEqual(['open', 'closed'])
    const gauge = (of: typeof account) => line('gapura_provider_circuit_open', { account: of.accountId })
    expect([await gauge(account), await gauge(other)]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
    expect([stateOf(), await gauge(account)]).toEqual(['closed', 0])
  })

  test('an open circuit breaker sends a probe after its pause and closes after a quick response', async () => {
    const service = watched()
    await breakDown(service)
    const next = Date.now() + FIRST_PAUSE_MS
    expect(service.health.all()).toMatchObject([
      { circuit: 'open', since: new Date(), nextProbeAt: new Date(next) },
    ])
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS - 1)
    expect(service.probes).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(service.probes).toEqual([
      expect.objectContaining({
        reference: 'GP000000-PROBEPROBE',
        providerPaymentId: null,
        methodDetail: { type: 'virtual_account', bank: 'virtual_account-1' },
      }),
    ])
    expect(service.stateOf()).toBe('closed')
    expect(service.health.all()).toMatchObject([{ calls: 0, since: new Date(next), nextProbeAt: null }])
    await vi.advanceTimersByTimeAsync(LONGEST_PAUSE_MS)
    expect(service.probes).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each<ProviderErrorKind>(['declined', 'invalid', 'inactive'])(
    'an open circuit breaker closes if the provider responds to a probe with the error `%s`, because it is reachable again',
    async kind => {
      const service = watched(refused(kind))
      await breakDown(service)
      await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
      expect(service.stateOf()).toBe('closed')
    },
  )

  test.each<[string, () => Promise<never>]>([
    ['unavailable', refused('unavailable')],
    ['unknown', refused('unknown')],
    ['an internal error', () => Promise.reject(new TypeError('not as it was expected'))],
  ])('the circuit breaker stays open twice as long if a probe fails with: %s', async (_, inquire) => {
    const service = watched(inquire)
    await breakDown(service)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
    expect(service.health.all()).toMatchObject([
      { circuit: 'open', nextProbeAt: new Date(Date.now() + 2 * FIRST_PAUSE_MS) },
    ])
    await vi.advanceTimersByTimeAsync(2 * FIRST_PAUSE_MS)
    expect(service.probes).toHaveLength(2)
  })

  test('a slow response to a probe leaves the circuit breaker open', async () => {
    const service = watched(() => taking(SLOW_MS + 1)().then(() => 'absent'))
    await breakDown(service)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS + SLOW_MS)
    expect(service.probes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(service.probes).toHaveLength(1)
    expect(service.health.all()).toMatchObject([
      { circuit: 'open', nextProbeAt: new Date(Date.now() + 2 * FIRST_PAUSE_MS) },
    ])
  })

  test('a probe (a test inquiry) without a status is repeated with the next payment method', async () => {
    const service = watched(async ({ methodDetail }) =>
      methodDetail.type === 'qris' ? 'absent' : 'not_reported',
    )
    await breakDown(service)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
    expect(service.probes.map(probe => probe.methodDetail.type)).toEqual(['virtual_account', 'qris'])
    expect(service.stateOf()).toBe('closed')
  })

  test("if an account's credentials cannot be read for a probe, the circuit breaker sends a probe later", async () => {
    const service = watched()
    service.accountOf.mockRejectedValueOnce(new Error('the database is away'))
    await breakDown(service)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
    expect([service.stateOf(), service.probes.length]).toEqual(['open', 0])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([service.stateOf(), service.probes.length]).toEqual(['closed', 1])
  })

  test('an open circuit breaker is no longer probed once the service has stopped', async () => {
    const service = watched()
    await breakDown(service)
    service.health.stop()
    await breakDown(service, other)
    await vi.advanceTimersByTimeAsync(LONGEST_PAUSE_MS)
    expect([service.probes.length, vi.getTimerCount()]).toEqual([0, 0])
  })

  test('after the service has stopped, it no longer probes a provider account whose circuit breaker opens', async () => {
    const service = watched()
    service.health.stop()
    await breakDown(service)
    expect([service.stateOf(), vi.getTimerCount()]).toEqual(['open', 0])
  })

  test('all open circuit breakers share one timer, which stops when the last open circuit breaker closes', async () => {
    const service = watched()
    await breakDown(service)
    await breakDown(service, other)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS + 1_000)
    expect([service.stateOf(), service.stateOf(other), vi.getTimerCount()]).toEqual(['closed', 'closed', 0])
  })

  test('a probe does not use the ID of the request that opened the circuit breaker', async () => {
    // Fake timers lose the async context, so this test uses real timers and sets only the clock.
    vi.useRealTimers()
    let nowMs = Date.UTC(2026, 10, 20)
    const asked = Promise.withResolvers<string | undefined>()
    const inquire = async () => {
      asked.resolve(currentRequestId())
      return 'absent' as const
    }
    const service = watched(inquire, () => new Date(nowMs))
    await withRequestId('request-1', () => breakDown(service))
    nowMs += FIRST_PAUSE_MS
    expect(await asked.promise).toBe(undefined)
    service.health.stop()
  })
})

describe('an account that cannot be probed gets a half-open circuit breaker after a pause', () => {
  async function halfOpen() {
    const service = watched(async () => 'not_reported')
    await breakDown(service)
    await vi.advanceTimersByTimeAsync(FIRST_PAUSE_MS)
    expect(service.health.all()).toMatchObject([{ circuit: 'half_open', nextProbeAt: null }])
    return service
  }

  test('a half-open circuit breaker allows one trial charge at a time and closes when a trial charge succeeds', async () => {
    const { health, charge, stateOf, line } = await halfOpen()
    const { accountId } = account
    expect([health.isOpen(accountId), health.isOpen(accountId)]).toEqual([false, true])
    expect(await line('gapura_provider_circuit_open', { account: accountId })).toBe(1)
    await charge(async () => 'taken')
    expect([stateOf(), health.isOpen(accountId), health.isOpen(accountId)]).toEqual(['closed', false, false])
  })

  test('if the trial charge of a half-open circuit breaker fails, the circuit breaker opens again', async () => {
    const { charge, health, stateOf, probes } = await halfOpen()
    await charge(refused('unavailable'))
    expect([stateOf(), health.isOpen(account.accountId)]).toEqual(['open', true])
    await vi.advanceTimersByTimeAsync(2 * FIRST_PAUSE_MS)
    expect([stateOf(), probes.length]).toEqual(['half_open', 4])
  })
})

test('metrics count requests to providers by outcome and record their duration', async () => {
  const { charge, health, registry } = watched()
  const answered = charge(taking(300))
  await vi.advanceTimersByTimeAsync(300)
  await answered
  await charge(refused('declined'))
  await health.monitor(account, 'inquiry', async () => 'not_reported')
  const text = await registry.metrics()
  const of = 'provider="north",account="account-1"'
  for (const line of [
    `gapura_provider_requests_total{${of},operation="charge",outcome="answered"} 1`,
    `gapura_provider_requests_total{${of},operation="charge",outcome="declined"} 1`,
    `gapura_provider_requests_total{${of},operation="inquiry",outcome="untold"} 1`,
    `gapura_provider_request_duration_seconds_count{${of},operation="charge"} 2`,
    `gapura_provider_request_duration_seconds_sum{${of},operation="charge"} 0.3`,
    `gapura_provider_circuit_open{${of}} 0`,
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toContain(
    `gapura_provider_request_duration_seconds_bucket{le="0.5",${of},operation="charge"} 2`,
  )
})
