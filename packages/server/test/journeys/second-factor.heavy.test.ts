import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { appCode } from '../support/authenticator-app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { callsAs } from '../support/management-api.ts'
import { type Answer, http, logIn, until } from '../support/merchant.ts'
import { secondFactorOf } from '../support/second-factor.ts'
import type { User } from '../support/user.ts'

let service: TestApp
let factor: ReturnType<typeof secondFactorOf>
beforeAll(async () => {
  service = await testApp()
  factor = secondFactorOf(service)
})

const FACTOR = '/v1/account/second-factor'

describe('a login with an authenticator app needs the password and a code', () => {
  test('a login with a second factor returns a challenge, which opens a session together with a code', async () => {
    const enrolled = await factor.enrolledUser()
    const first = await factor.users.logIn(enrolled.user)
    expect([first.status, first.error.code]).toEqual([401, 'OTP_REQUIRED'])
    expect(first.error).toMatchObject({ methods: ['totp', 'recovery_code'], expires_in: 300 })
    expect(first.text).not.toContain('access_token')
    const { challenge } = first.error as unknown as { challenge: string }
    const done = await factor.complete(challenge, factor.nextCode(enrolled))
    expect([done.status, Object.keys(done.data)]).toEqual([
      200,
      ['access_token', 'refresh_token', 'token_type', 'expires_in'],
    ])
    expect((await factor.users.call(done.data.access_token)).status).toBe(200)
  })

  test('the response to a wrong password does not reveal whether the user has a second factor', async () => {
    const { user } = await factor.enrolledUser()
    const { status, error } = await factor.users.logIn({ ...user, password: 'wrong password' })
    expect([status, error.code, error.message]).toEqual([
      401,
      'UNAUTHORIZED',
      'unauthorized: email address or password is wrong',
    ])
  })

  test('an authenticator code works only once, even for several concurrent logins', async () => {
    const enrolled = await factor.enrolledUser()
    const code = factor.nextCode(enrolled)
    const challenges = await Promise.all(Array.from({ length: 5 }, () => factor.challengeFor(enrolled.user)))
    const answers = await Promise.all(challenges.map(challenge => factor.complete(challenge, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401])
    const again = await factor.complete(await factor.challengeFor(enrolled.user), code)
    expect([again.status, again.error.message]).toEqual([
      401,
      'unauthorized: the code of the second factor is wrong or was already used',
    ])
  })

  test('after an authenticator code is used, all earlier codes are rejected', async () => {
    const enrolled = await factor.enrolledUser()
    const earlier = factor.nextCode(enrolled)
    const later = factor.nextCode(enrolled)
    expect((await factor.complete(await factor.challengeFor(enrolled.user), later)).status).toBe(200)
    expect((await factor.complete(await factor.challengeFor(enrolled.user), earlier)).status).toBe(401)
  })

  test('a login challenge can be used only once and only for five minutes', async () => {
    const enrolled = await factor.enrolledUser()
    const challenge = await factor.challengeFor(enrolled.user)
    expect((await factor.complete(challenge, factor.nextCode(enrolled))).status).toBe(200)
    expect((await factor.complete(challenge, factor.nextCode(enrolled))).status).toBe(401)
    const late = await factor.challengeFor(enrolled.user)
    service.advance(300_000)
    const refused = await factor.complete(late, factor.nextCode(enrolled))
    expect(refused.error.message).toBe(
      'unauthorized: the login challenge is unknown, used or expired; log in again',
    )
  })

  test("another user's authenticator code does not complete a login", async () => {
    const [mine, theirs] = [await factor.enrolledUser(), await factor.enrolledUser()]
    const challenge = await factor.challengeFor(mine.user)
    expect((await factor.complete(challenge, factor.nextCode(theirs))).status).toBe(401)
  })

  test('each recovery code can be used once instead of an authenticator code', async () => {
    const { user, recoveryCodes } = await factor.enrolledUser()
    const [code = '', other = ''] = recoveryCodes
    expect((await factor.complete(await factor.challengeFor(user), code.toUpperCase())).status).toBe(200)
    expect((await factor.complete(await factor.challengeFor(user), code)).status).toBe(401)
    expect((await factor.complete(await factor.challengeFor(user), other.replace('-', ''))).status).toBe(200)
  })

  test('attempts with wrong second-factor codes are limited, even if many codes are tried at once', async () => {
    const enrolled = await factor.enrolledUser()
    const challenge = await factor.challengeFor(enrolled.user)
    const right = factor.nextCode(enrolled)
    const wrong = right === '000000' ? '000001' : '000000'
    const guesses = await Promise.all(Array.from({ length: 30 }, () => factor.complete(challenge, wrong)))
    const statuses = guesses.map(({ status }) => status)
    // The first ten guesses are not delayed. After that, each wrong guess doubles the wait before the next
    // one.
    const checked = statuses.filter(status => status === 401).length
    expect(checked).toBeGreaterThanOrEqual(10)
    expect(checked).toBeLessThan(20)
    expect(statuses.filter(status => status === 429)).toHaveLength(30 - checked)
    await service.app.db.raw('update login_throttles set failures = 30 where failures >= 10')
    const limited = await factor.complete(challenge, right)
    expect([limited.status, limited.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    // Wrong second-factor codes do not delay logins with a password.
    expect((await factor.users.logIn(enrolled.user)).status).toBe(401)
  })

  test('a login after a password reset still requires the second factor', async () => {
    const enrolled = await factor.enrolledUser()
    const waiting = await factor.challengeFor(enrolled.user)
    await factor.users.requestReset(enrolled.user)
    const mail = await until(
      'the mail arrives',
      async () => (await mailsTo(service.dataDir, enrolled.user.email))[0],
    )
    await factor.users.confirmReset(resetTokenIn(mail), 'a whole new password')
    expect((await factor.complete(waiting, factor.nextCode(enrolled))).status).toBe(401)
    const user = { ...enrolled.user, password: 'a whole new password' }
    expect((await factor.users.logIn(user)).error.code).toBe('OTP_REQUIRED')
    expect((await factor.complete(await factor.challengeFor(user), factor.nextCode(enrolled))).status).toBe(
      200,
    )
  })
})

describe('a new device token does not allow additional guesses of second-factor codes', () => {
  const usedTokens = new Set<string>()
  const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const completeWith = (cookie: string, challenge: string, code: string) =>
    http('POST', `${service.demo.base_url}/v1/auth/login/otp`, {
      body: { challenge, code },
      headers: { cookie },
    })
  /** Uses up the code guesses of unknown devices and of this IP address, so that the next guess must wait. */
  async function useUpGuesses(user: User) {
    await factor.complete(await factor.challengeFor(user), '123')
    await service.app.db.raw('update login_throttles set failures = 40 where failures > 0')
  }
  /** Resets the password by email. Returns the user with the new password and the cookie with the device token. */
  async function reset(user: User, password: string) {
    await factor.users.requestReset(user)
    const token = await until('another mail arrives', async () => {
      const mails = await mailsTo(service.dataDir, user.email)
      return mails.map(resetTokenIn).find(each => !usedTokens.has(each))
    })
    usedTokens.add(token)
    const answer = await factor.users.confirmReset(token, password)
    return { user: { ...user, password }, cookie: cookieOf(answer) }
  }
  beforeEach(() => service.app.db.raw('delete from login_throttles'))

  test('a password reset does not grant more guesses of second-factor codes', async () => {
    const enrolled = await factor.enrolledUser()
    await useUpGuesses(enrolled.user)
    for (const password of ['a whole new password', 'another new password']) {
      const { user, cookie } = await reset(enrolled.user, password)
      const refused = await completeWith(cookie, await factor.challengeFor(user), '123')
      expect([refused.status, refused.error.code]).toEqual([429, 'RATE_LIMITED'])
    }
  })

  test('after guesses from unknown devices, a user waits at most 15 minutes after a password reset', async () => {
    const enrolled = await factor.enrolledUser()
    await useUpGuesses(enrolled.user)
    const { user, cookie } = await reset(enrolled.user, 'a whole new password')
    service.advance(15 * 60_000)
    const challenge = await factor.challengeFor(user)
    expect((await completeWith(cookie, challenge, factor.nextCode(enrolled))).status).toBe(200)
  })

  test('wrong codes from unknown devices do not delay logins on a device with an earlier second-factor login', async () => {
    const user = await factor.users.makeUser()
    const first = await factor.users.logIn(user)
    const enrolled = await factor.enrol(user, first.data.access_token)
    const done = await factor.complete(await factor.challengeFor(user), factor.nextCode(enrolled))
    await useUpGuesses(user)
    const complete = async (cookie: string) =>
      (await completeWith(cookie, await factor.challengeFor(user), factor.nextCode(enrolled))).status
    // This cookie is from a login without a second factor, so the device does not count as known here.
    expect(await complete(cookieOf(first))).toBe(429)
    expect(await complete(`${cookieOf(done)}x`)).toBe(429)
    expect(await complete(cookieOf(done).replace('.proven', ''))).toBe(429)
    expect(await complete(cookieOf(done))).toBe(200)
  })
})

describe('a user can set up a second factor, and its secrets are not shown again', () => {
  test('an authenticator app is enabled only after a correct first code, and enabling it ends all other sessions', async () => {
    const user = await factor.users.makeUser()
    const [current, other] = [await factor.users.startSession(user), await factor.users.startSession(user)]
    const call = factor.call(current.access_token)
    const { data } = await call('POST', `${FACTOR}/totp`)
    const right = appCode(data.secret, service.app.clock())
    const wrong = await call('POST', `${FACTOR}/totp/confirm`, {
      code: right === '000000' ? '000001' : '000000',
      current_password: user.password,
    })
    expect([wrong.status, wrong.error.message]).toEqual([
      400,
      'bad request: code: is wrong or was already used',
    ])
    expect((await factor.users.logIn(user)).status).toBe(200)
    const done = await call('POST', `${FACTOR}/totp/confirm`, {
      code: right,
      current_password: user.password,
    })
    expect(done.data.recovery_codes).toHaveLength(10)
    await until(
      'the session has ended',
      async () => (await factor.users.call(other.access_token)).status === 401,
    )
    expect((await factor.users.call(current.access_token)).status).toBe(200)
  })

  test('the database contains neither an authenticator secret nor a recovery code in plain text', async () => {
    const { secret, recoveryCodes, user } = await factor.enrolledUser()
    const { rows } = await service.app.db.raw(
      `select (select json_agg(t)::text from totp_secrets t where user_id = :id) as secrets,
              (select json_agg(r)::text from recovery_codes r where user_id = :id) as codes,
              (select json_agg(a)::text from audit_log a where subject_id = :id::text) as log`,
      { id: user.id },
    )
    const text = JSON.stringify(rows)
    for (const plain of [secret, ...recoveryCodes]) expect(text).not.toContain(plain)
    expect(text).toContain('second_factor.enable_totp')
  })

  test('the list of second factors contains no secrets, and removing the last factor also removes the recovery codes', async () => {
    const { accessToken, recoveryCodes } = await factor.enrolledUser()
    const call = factor.call(accessToken)
    expect((await call('GET', FACTOR)).data).toEqual({
      is_required: false,
      has_totp: true,
      passkeys: [],
      recovery_codes_left: 10,
    })
    const { data } = await call('POST', `${FACTOR}/recovery-codes`)
    expect(data.recovery_codes).not.toEqual(recoveryCodes)
    expect((await call('POST', `${FACTOR}/totp`)).error.code).toBe('CONFLICT')
    expect((await call('DELETE', `${FACTOR}/totp`)).data).toEqual({ removed: true })
    expect((await call('GET', FACTOR)).data).toMatchObject({ has_totp: false, recovery_codes_left: 0 })
  })
})

describe('adding the first second factor requires the current password, except shortly after the login', () => {
  /** Starts adding an authenticator app and a passkey for a user without a second factor. */
  async function sessionOf(user: User) {
    const { access_token } = await factor.users.startSession(user)
    const call = factor.call(access_token)
    const { data } = await call('POST', `${FACTOR}/totp`)
    const code = appCode(data.secret, service.app.clock())
    return {
      call,
      confirmTotp: (password: object) => call('POST', `${FACTOR}/totp/confirm`, { code, ...password }),
      startPasskey: (password: object) => call('POST', '/trpc/secondFactor.startPasskey', password),
    }
  }
  const messageOf = ({ text }: Answer): string => JSON.parse(text).error.message
  beforeEach(() => service.app.db.raw('delete from login_throttles'))

  test('more than 15 minutes after the login, adding an authenticator app or a passkey requires the current password', async () => {
    const user = await factor.users.makeUser()
    const { call, ...add } = await sessionOf(user)
    await service.app.db.raw(
      `update sessions set created_at = created_at - interval '15 minutes 1 second'
       where user_id = (select id from users where email = ?)`,
      [user.email],
    )
    for (const [password, message] of [
      [{}, 'current_password: is required'],
      [{ current_password: 'wrong' }, 'current_password: is wrong'],
    ] as const)
      for (const refused of [await add.confirmTotp(password), await add.startPasskey(password)])
        expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining(message)])
    expect((await call('GET', FACTOR)).data).toMatchObject({ has_totp: false, passkeys: [] })
    expect((await factor.users.logIn(user)).status).toBe(200)
    expect((await add.startPasskey({ current_password: user.password })).status).toBe(200)
    expect((await add.confirmTotp({ current_password: user.password })).status).toBe(200)
  })

  test('within 15 minutes after the login, a user can add the first second factor without the password', async () => {
    const add = await sessionOf(await factor.users.makeUser())
    expect((await add.confirmTotp({ current_password: 'wrong' })).status).toBe(400)
    expect((await add.confirmTotp({})).status).toBe(200)
  })

  test('after too many wrong current passwords, a session must wait before it can add a second factor', async () => {
    const user = await factor.users.makeUser()
    const add = await sessionOf(user)
    await add.confirmTotp({ current_password: 'wrong' })
    await service.app.db.raw(`update login_throttles set failures = 30 where lane like 'session %'`)
    for (const refused of [
      await add.confirmTotp({ current_password: user.password }),
      await add.startPasskey({ current_password: user.password }),
    ])
      expect(refused.status).toBe(429)
    expect((await factor.users.logIn(user)).status).toBe(200)
  })

  test('a user who has confirmed a second factor adds another factor without the password', async () => {
    const { accessToken } = await factor.enrolledUser()
    const started = await factor.call(accessToken)('POST', '/trpc/secondFactor.startPasskey', {})
    expect(started.status).toBe(200)
  })
})

describe('some operations, such as rotating an API key, need a second factor that was confirmed within the last 15 minutes', () => {
  test('15 minutes after confirming the second factor, a user can no longer rotate an API key', async () => {
    const enrolled = await factor.enrolledUser()
    const path = `/v1/tenants/${enrolled.user.tenantId}/api-keys`
    const { data: key } = await factor.call(enrolled.accessToken)('POST', path, { mode: 'test' })
    // Simulates a session whose second factor was confirmed 15 minutes ago and whose access token is still
    // valid.
    await service.app.db.raw(
      `update sessions set proven_at = proven_at - interval '15 minutes' where user_id = ?`,
      [enrolled.user.id],
    )
    const call = factor.call(enrolled.accessToken)
    // Repeats a call that has no effect, until the service has reloaded its cached session.
    await until(
      'the session needs a new confirmation',
      async () => (await call('POST', `${FACTOR}/totp`)).status === 401,
    )
    const refused = await call('POST', `${path}/${key.id}/rotate`, {})
    expect([refused.status, refused.error.code, refused.error.message]).toEqual([
      401,
      'OTP_REQUIRED',
      expect.stringContaining('POST /v1/account/second-factor/confirm'),
    ])
    expect((await call('GET', '/v1/account/api-keys')).status).toBe(200)
    expect((await call('POST', `${FACTOR}/confirm`, { code: '123' })).status).toBe(400)
    expect((await call('POST', `${FACTOR}/confirm`, { code: factor.nextCode(enrolled) })).status).toBe(200)
    expect((await call('POST', `${path}/${key.id}/rotate`, {})).status).toBe(200)
  })

  test('a user without a second factor can rotate an API key without confirmation', async () => {
    const user = await factor.users.makeUser()
    const { access_token } = await factor.users.startSession(user)
    const path = `/v1/tenants/${user.tenantId}/api-keys`
    const { data: key } = await factor.call(access_token)('POST', path, { mode: 'test' })
    expect((await factor.call(access_token)('POST', `${path}/${key.id}/rotate`, {})).status).toBe(200)
  })
})

describe('a tenant can require all its users to have a second factor', () => {
  test('only an admin with a second factor can require a second factor for all users', async () => {
    const admin = await factor.users.makeUser()
    const session = await factor.users.startSession(admin)
    const rule = (token: string, second_factor_required: boolean) =>
      factor.call(token)('PUT', '/v1/account/security', { second_factor_required })
    expect((await rule(session.access_token, true)).status).toBe(409)
    const enrolled = await factor.enrol(admin, session.access_token)
    expect((await rule(enrolled.accessToken, true)).data.second_factor_required).toBe(true)

    const user = { email: `${newId()}@example.com`, password: 'correct horse battery' }
    const { id } = await createUser(service.app, null, admin.tenantId, { ...user, permissions: ['viewer'] })
    const token = (await logIn(service.demo, user)).replace('Bearer ', '')
    const call = factor.call(token)
    await until('the requirement is in force', async () => (await call('GET', '/v1/payments')).status === 403)
    expect((await call('GET', '/v1/payments')).error.message).toMatch(/requires a second factor/)
    expect((await call('GET', '/v1/account')).data).toMatchObject({
      second_factor_required: true,
      has_second_factor: false,
    })
    const owner = { ...user, id, tenantId: admin.tenantId }
    await factor.enrol(owner, token)
    await until('the user has access', async () => (await call('GET', '/v1/payments')).status === 200)
    const kept = await call('DELETE', `${FACTOR}/totp`)
    expect([kept.status, kept.error.message]).toEqual([409, expect.stringMatching(/your last second factor/)])
  })
})

test('if the Owner resets a user’s second factor, the next login needs no code', async () => {
  const enrolled = await factor.enrolledUser()
  const owner = callsAs(service.demo, await logIn(service.demo, service.demo.owner))
  const path = `/v1/tenants/${enrolled.user.tenantId}/users/${enrolled.user.id}/second-factor`
  expect((await owner('DELETE', path)).data).toEqual({ reset: true })
  await until(
    'the session has ended',
    async () => (await factor.users.call(enrolled.accessToken)).status === 401,
  )
  expect((await factor.users.logIn(enrolled.user)).status).toBe(200)
})

test('a forged passkey response does not complete a login', async () => {
  const { user } = await factor.enrolledUser()
  const challenge = await factor.challengeFor(user)
  const answer = await http('POST', `${service.demo.base_url}/trpc/session.completeWithPasskey`, {
    body: { challenge, response: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
  })
  expect(answer.status).toBe(401)
})
