import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after } from '../../values/time.ts'
import {
  type Failures,
  FORGOTTEN_AFTER_MS,
  judgeAttempt,
  type Policy,
  policies,
  SPRAYING_FROM,
} from './login-throttle.ts'

const start = new Date('2026-11-23T00:00:00Z')
const SECOND_MS = 1_000

/** Returns a simulated account whose failed logins are stored in memory instead of the database. */
function anAccount({ isSprayed = false } = {}) {
  const rows = new Map<string, Failures>()
  const fresh = (lane: string, at: Date) => {
    const row = rows.get(lane)
    return row && at.getTime() - row.lastAt.getTime() < FORGOTTEN_AFTER_MS ? { row } : {}
  }
  return {
    /**
     * Simulates a login attempt with a wrong password at the time `at`. Returns 0 if the attempt is allowed,
     * or else the number of milliseconds to wait.
     */
    fail(own: string, at: Date, isKnown = false): number {
      const of = (name: 'own' | 'newcomers' | 'returning', lane: string) => {
        const { row } = fresh(lane, at)
        return row ? { [name]: row } : {}
      }
      const spray = isSprayed ? { spray: { failures: 10 * SPRAYING_FROM, lastAt: at } } : {}
      const found = {
        isKnown,
        ...of('own', own),
        ...of('newcomers', 'newcomers'),
        ...of('returning', 'returning'),
        ...spray,
      }
      const verdict = judgeAttempt(found, at)
      if (!verdict.isAdmitted) return verdict.waitMs
      for (const { lane, failures } of verdict.counts)
        rows.set(lane === 'own' ? own : lane, { failures, lastAt: at })
      return 0
    },
  }
}

/** Every second of one day, as a timestamp. */
const seconds = Array.from({ length: 86_400 }, (_, n) => after(start, n * SECOND_MS))

test('after ten wrong passwords, logins must wait, first for one second and later for up to 15 minutes', () => {
  const account = anAccount()
  for (let n = 0; n < 10; n++) expect(account.fail('source', start)).toBe(0)
  expect(account.fail('source', start)).toBe(SECOND_MS)
  let at = start
  for (let n = 0; n < 100; n++) at = after(at, account.fail('source', at))
  expect(account.fail('source', at)).toBeLessThanOrEqual(15 * 60 * SECOND_MS)
})

describe('the number of password guesses per day against one account is limited', () => {
  const guessesOfOne = (account: ReturnType<typeof anAccount>) =>
    seconds.filter(at => account.fail('source', at) === 0).length

  test('password guesses against one account are limited to 114 a day from one IP address', () =>
    expect(guessesOfOne(anAccount())).toBe(114))

  test('an IP address that attacks many accounts can guess at most 33 passwords a day for one account', () =>
    expect(guessesOfOne(anAccount({ isSprayed: true }))).toBe(33))

  test('password guesses against one account are limited to 248 a day, from all IP addresses together', () => {
    const account = anAccount()
    let addresses = 0
    let guesses = 0
    for (const [second, at] of seconds.entries()) {
      if (account.fail(`source ${addresses}`, at) === 0) {
        addresses += 1
        guesses += 1
      }
      if (account.fail(`source ${second % addresses}`, at) === 0) guesses += 1
    }
    expect(guesses).toBe(248)
  })
})

test('a known device is delayed only by its own failed logins, never by those from unknown IP addresses', () => {
  const account = anAccount()
  for (let n = 0; n < 1_000; n++) account.fail(`source ${n}`, start)
  for (let n = 0; n < policies.known.free; n++) expect(account.fail('device', start, true)).toBe(0)
  expect(account.fail('device', start, true)).toBeGreaterThan(0)
})

test('an IP address without failed logins is not delayed by failed logins from other addresses', () => {
  const account = anAccount()
  for (let n = 0; n < 10; n++)
    for (let source = 0; source < 10; source++) account.fail(`source ${source}`, start)
  expect(account.fail('source 3', start)).toBeGreaterThan(0)
  expect(account.fail('a new source', start)).toBe(0)
})

test('if an IP address attacks many accounts, it must wait after three failed logins to an account before it can try this account again', () => {
  const account = anAccount({ isSprayed: true })
  for (let n = 0; n < 3; n++) expect(account.fail('source', start)).toBe(0)
  expect(account.fail('source', start)).toBe(policies.sprayingSource.firstWaitMs)
})

test('a password attack on an account is reported once, at the twentieth failed login', () => {
  const noticed: number[] = []
  for (let total = 0; total < 100; total++) {
    const verdict = judgeAttempt(
      { isKnown: false, newcomers: { failures: total, lastAt: new Date(0) } },
      start,
    )
    if (verdict.isAdmitted && verdict.isAttackNoticed) noticed.push(total + 1)
  }
  expect(noticed).toEqual([20])
})

test('the wait before the next login grows with the number of failed logins, up to a maximum', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Policy>(policies.known),
      fc.integer({ min: 0, max: 5_000 }),
      (policy, failures) => {
        const waitAfter = (n: number) => {
          const verdict = judgeAttempt({ isKnown: true, own: { failures: n, lastAt: start } }, start)
          return verdict.isAdmitted ? 0 : verdict.waitMs
        }
        expect(waitAfter(failures + 1)).toBeGreaterThanOrEqual(waitAfter(failures))
        expect(waitAfter(failures)).toBeLessThanOrEqual(policy.longestWaitMs)
      },
    ),
  )
})
