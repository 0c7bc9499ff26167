// Tests that password guessing at login is slowed down for the attacker but not for other users.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logIn } from '../../src/auth/log-in/log-in.ts'
import { createLog } from '../../src/logging/log.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { type Answer, atOnce, http, until } from '../support/merchant.ts'
import { outcome, type User, usersOf, WRONG_LOGIN } from '../support/user.ts'

/**
 * The clock is frozen unless a test moves it. Therefore, the duration of a login attempt does not affect how
 * long the user must wait for the next attempt.
 */
let nowMs = Date.now()
const warnings: { userId?: string }[] = []
const log = Object.assign(createLog('silent'), {
  warn: (entry: { userId?: string }) => void warnings.push(entry),
})

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp({ log, overrides: { clock: () => new Date(nowMs) } })
  users = usersOf(service)
})
/**
 * Deletes failed logins from earlier tests, because failed logins are counted by IP address and all tests share
 * one.
 */
beforeEach(() => service.app.db.raw('delete from login_throttles'))

const guess = (email: string, password = 'wrong') => users.logIn({ email, password })
const guessTimes = async (times: number, email: string) => {
  for (let n = 0; n < times; n++) expect(outcome(await guess(email))).toEqual(WRONG_LOGIN)
}
const client = { address: undefined, userAgent: undefined }
/** Tries a wrong password from the IP address `source` by calling the login function directly, without HTTP. */
const guessFrom = (source: string, { email }: { email: string }) =>
  logIn(service.app, { email, password: 'wrong', source, client }).catch(({ code }: { code: string }) => code)
const logInFrom = (source: string, { email, password }: User, device?: string) =>
  logIn(service.app, { email, password, source, deviceTokens: device ? [device] : [], client })

const expectWait = ({ status, error, headers }: Answer, seconds: number) => {
  expect([status, error.code]).toEqual([429, 'RATE_LIMITED'])
  const wait = seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${seconds / 60} minutes`
  expect(error.message).toBe(`rate limited: too many failed logins; try again in ${wait}`)
  expect(headers.get('retry-after')).toBe(String(seconds))
}

describe('wrong passwords at login delay only the attacker', () => {
  test.each([
    ['of a user', async () => (await users.makeUser()).email],
    ['of no user', async () => `nobody-${newId()}@example.com`],
  ])(
    'wrong passwords for the address %s delay every further login attempt, even with the correct password, and each delay is longer than the previous one',
    async (_, address) => {
      const email = await address()
      await guessTimes(5, email)
      await guessTimes(5, email.toUpperCase())
      for (const seconds of [1, 2, 4]) {
        expectWait(await guess(email), seconds)
        expectWait(await guess(email, 'correct horse battery staple'), seconds)
        nowMs += seconds * 1_000
        await guessTimes(1, email)
      }
      await service.app.db.raw('update login_throttles set failures = 40')
      expectWait(await guess(email), 900)
      expect(outcome(await guess(`other-${email}`))).toEqual(WRONG_LOGIN)
    },
  )

  test('many wrong passwords only delay a login, and a correct password resets their count', async () => {
    const user = await users.makeUser()
    await guessTimes(10, user.email)
    expectWait(await users.logIn(user), 1)
    nowMs += 1_000
    expect((await users.logIn(user)).status).toBe(200)
    await guessTimes(9, user.email)
    expect((await users.logIn(user)).status).toBe(200)
  })

  test('wrong passwords from other devices do not delay logins from a device that has logged in before', async () => {
    const user = await users.makeUser()
    const { headers } = await users.logIn(user)
    const [cookie = ''] = headers.getSetCookie().map(each => each.split(';')[0])
    for (let n = 0; n < 10; n++)
      for (let source = 0; source < 5; source++) await guessFrom(`10.0.0.${source}`, user)
    const logInWith = (password: string, cookie?: string) =>
      http('POST', `${service.demo.base_url}/v1/auth/login`, {
        body: { email: user.email, password },
        headers: { ...(cookie && { cookie }) },
      })
    for (let source = 0; source < 40; source++) await guessFrom(`10.0.1.${source}`, user)
    expect((await logInWith(user.password)).status).toBe(429)
    expect((await logInWith(user.password, cookie)).status).toBe(200)
    expect((await logInWith(user.password, `${cookie}x`)).status).toBe(429)
    // Each known device has a separate limit, which wrong passwords from other devices do not affect.
    for (let n = 0; n < 10; n++) expect(outcome(await logInWith('wrong', cookie))).toEqual(WRONG_LOGIN)
    expectWait(await logInWith(user.password, cookie), 1)
  })

  test('wrong passwords from ten IP addresses do not delay logins from an address without failed logins', async () => {
    const user = await users.makeUser()
    for (let source = 0; source < 10; source++)
      for (let n = 0; n < 10; n++) await guessFrom(`10.0.0.${source}`, user)
    expect(await guessFrom('10.0.0.3', user)).toBe('RATE_LIMITED')
    expect((await users.logIn(user)).status).toBe(200)
  })

  test('wrong passwords for a hundred accounts do not delay correct logins from the same IP address', async () => {
    const addresses = Array.from({ length: 110 }, (_, n) => `nobody-${n}-${newId()}@example.com`)
    const answers = await atOnce(4, addresses, address => guess(address))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    for (let n = 0; n < 5; n++) expect((await users.logIn(await users.makeUser())).status).toBe(200)
    // After this many failed logins, an IP address may try fewer passwords for each account than other
    // addresses, and must wait longer between attempts.
    const user = await users.makeUser()
    await guessTimes(3, user.email)
    expectWait(await users.logIn(user), 15)
  })

  test('a password reset clears the count of wrong passwords and makes the user’s device a known device', async () => {
    const user = await users.makeUser()
    await guess(user.email)
    for (let source = 0; source < 60; source++) await guessFrom(`10.0.1.${source}`, user)
    await service.app.db.raw('update login_throttles set failures = 40')
    expectWait(await users.logIn(user), 900)
    await users.requestReset(user)
    const mail = await until('the mail arrives', async () => (await mailsTo(service.dataDir, user.email))[0])
    const reset = await users.confirmReset(resetTokenIn(mail), 'a whole new password')
    expect(reset.headers.getSetCookie()[0]).toMatch(/^gapura_device=gp_device_/)
    expect((await users.logIn({ ...user, password: 'a whole new password' })).status).toBe(200)
  })

  test('wrong passwords stop counting after a day', async () => {
    const user = await users.makeUser()
    await guessTimes(10, user.email)
    nowMs += 24 * 3_600_000
    await guessTimes(10, user.email)
    expectWait(await users.logIn(user), 1)
  })
})

test("a known device is trusted only for logins to its account, and only until the account's password changes", async () => {
  const [user, other] = [await users.makeUser(), await users.makeUser()]
  const { device } = await logInFrom('10.0.0.1', user)
  for (const { email } of [user, other]) {
    await guess(email)
    await service.app.db.raw(`update login_throttles set failures = 40`)
  }
  const source = '127.0.0.1'
  await expect(logInFrom(source, other, device)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const known = await logInFrom(source, user, device)
  expect(known.device).not.toBe('')
  const { data } = await users.refresh(known.refreshToken)
  await users.changePassword(data.access_token, user.password, 'a whole new password')
  await expect(
    logInFrom(source, { ...user, password: 'a whole new password' }, device),
  ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('a login with the correct password is never delayed, even if there are many such logins at once', async () => {
  const user = await users.makeUser()
  const answers = await atOnce(8, Array(120).fill(user), users.logIn)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('an attack on an account with many wrong passwords is recorded once in the log and once in the tenant’s audit log', async () => {
  // The test's clock must show the real time, because the service finds earlier audit log entries by their IDs, which
  // contain the real time.
  nowMs = Date.now()
  const user = await users.makeUser()
  const noted = async () => {
    const { rows } = await service.app.db.raw(
      'select action, tenant_id, subject_id, actor_user_id, after from audit_log where tenant_id = ?',
      [user.tenantId],
    )
    return rows
  }
  for (let round = 0; round < 3; round++) {
    for (let source = 0; source < 30; source++) await guessFrom(`10.0.${round}.${source}`, user)
    // Resets the count of failed logins, as a correct password would. The audit log already has an entry, and further
    // failed logins must not add a second one.
    await until('the audit log has the entry', async () => (await noted()).length > 0 || undefined)
    await service.app.db.raw(
      `update login_throttles set failures = 0 where lane in ('newcomers', 'returning')`,
    )
  }
  await until('the jobs have ended', async () => {
    const { rows } = await service.app.db.raw(
      `select from graphile_worker.jobs where task_identifier = 'note_login_attack'`,
    )
    return rows.length === 0 || undefined
  })
  expect(await noted()).toEqual([
    {
      action: 'user.under_attack',
      tenant_id: user.tenantId,
      subject_id: user.id,
      actor_user_id: null,
      after: { email: user.email, failed_log_ins: expect.any(Number), sources: expect.any(Number) },
    },
  ])
  expect(warnings.filter(({ userId }) => userId === user.id)).toHaveLength(1)
})
