import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUser } from '../../src/auth/users/create-user.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn, securityMailsTo } from '../support/mail.ts'
import { callsAs } from '../support/management-api.ts'
import { http, logIn, until } from '../support/merchant.ts'
import { secondFactorOf } from '../support/second-factor.ts'
import { registerPasskey } from '../support/software-passkey.ts'
import type { User } from '../support/user.ts'

let service: TestApp
let factor: ReturnType<typeof secondFactorOf>
beforeAll(async () => {
  service = await testApp()
  factor = secondFactorOf(service)
})
/** Deletes earlier failed logins, because failed logins are limited by IP address and all tests share one. */
beforeEach(() => service.app.db.raw('delete from login_throttles'))

const FACTOR = '/v1/account/second-factor'
/** A device whose User-Agent contains a link, which must not appear in an email. */
const THIEF = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0 Confirm your account at https://thief.example/'
const DEVICE_OF_THIEF = 'Firefox, Linux'
const TIME = /\nTime: {8}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n/

/**
 * Calls an operation with the access token of the user's session, but from a different device than the
 * session's.
 */
const callFromElsewhere = (token: string, method: string, path: string, body?: object) =>
  http(method, `${service.demo.base_url}${path}`, {
    auth: `Bearer ${token}`,
    headers: { 'user-agent': THIEF },
    ...(body && { body }),
  })

/** Waits until all emails about security changes have been sent, and returns those sent to the user. */
async function mailsOf({ email }: User): Promise<string[]> {
  await until('all mails are sent', async () => {
    const { rows } = await service.app.db.raw(
      `select from graphile_worker.jobs where task_identifier = 'report_security_change'`,
    )
    return rows.length === 0
  })
  return securityMailsTo(service.dataDir, email)
}

/** The text that identifies the email about each security change, in English and in Indonesian. */
const words = {
  totp_added: ['An authenticator app was added', 'Aplikasi autentikator ditambahkan'],
  totp_removed: ['The authenticator app was removed', 'Aplikasi autentikator dihapus'],
  passkey_added: ['A passkey was added', 'Kunci sandi (passkey) ditambahkan'],
  passkey_removed: ['A passkey was removed', 'Kunci sandi (passkey) dihapus'],
  recovery_codes_renewed: ['New recovery codes were created', 'Kode pemulihan baru dibuat'],
  recovery_code_used: ['A recovery code of your account was used', 'Satu kode pemulihan akun Anda dipakai'],
  second_factor_reset_by_admin: [
    'An admin reset your second factor',
    'Admin mengatur ulang faktor kedua Anda',
  ],
  password_changed: ['The password of your account was changed', 'Kata sandi akun Anda diganti'],
  password_reset: ['The password of your account was reset', 'Kata sandi akun Anda diatur ulang'],
} as const

/** Returns the user's emails about one kind of change, each with instructions in English and in Indonesian. */
async function mailsAbout(user: User, change: keyof typeof words): Promise<string[]> {
  const [english, indonesian] = words[change]
  const mails = (await mailsOf(user)).filter(mail => mail.includes(english))
  for (const mail of mails) {
    const parts = mail.split('Bahasa Indonesia')
    expect(parts).toHaveLength(2)
    expect(parts[0]).toContain(english)
    expect(parts[1]).toContain(indonesian)
    expect(mail).not.toContain('thief.example')
    for (const page of ['/dashboard/reset-password', '/dashboard/security'])
      for (const part of parts) expect(part).toContain(`${service.app.publicUrl}${page}\n`)
  }
  return mails
}

/**
 * Checks that the user has exactly one email about the change `change`, and that this email shows the device
 * that sent the request.
 */
async function expectOneMail(
  user: User,
  change: keyof typeof words,
  device = DEVICE_OF_THIEF,
): Promise<string> {
  const [mail = '', ...others] = await mailsAbout(user, change)
  expect(others).toEqual([])
  expectCircumstances(mail, device)
  return mail
}

function expectCircumstances(mail: string, device: string): void {
  expect(mail).toMatch(TIME)
  expect(mail).toContain('IP address:  127.0.0.1\n')
  expect(mail).toContain(`Device:      ${device}\n`)
}

async function addPasskey(token: string, { password }: User) {
  const call = (name: string, body: object = {}) =>
    callFromElsewhere(token, 'POST', `/trpc/secondFactor.${name}`, body)
  const { text } = await call('startPasskey', { current_password: password })
  const started = JSON.parse(text).result.data
  const response = registerPasskey({
    challenge: started.options.challenge,
    origin: service.demo.base_url,
  })
  return call('finishPasskey', { challenge: started.challenge, response, name: 'Call 021-555 now' })
}

describe("if a user's second factor or password changes, the user gets an email", () => {
  test('adding or removing an authenticator app sends the user an email with the time, IP address, and device', async () => {
    const user = await factor.users.makeUser()
    const { access_token: token } = await factor.users.startSession(user)
    const { secret, recoveryCodes } = await factor.enrol(user, token)
    const added = await expectOneMail(user, 'totp_added', 'Node.js')
    for (const plain of [secret, ...recoveryCodes]) expect(added).not.toContain(plain)
    expect((await callFromElsewhere(token, 'DELETE', `${FACTOR}/totp`)).status).toBe(200)
    await expectOneMail(user, 'totp_removed')
  })

  test("adding or removing a passkey sends the user an email without the passkey's name", async () => {
    const user = await factor.users.makeUser()
    const { access_token: token } = await factor.users.startSession(user)
    const finished = await addPasskey(token, user)
    expect(finished.status, finished.text).toBe(200)
    expect(await expectOneMail(user, 'passkey_added')).not.toContain('021-555')
    const [passkey] = (await factor.call(token)('GET', FACTOR)).data.passkeys
    expect((await callFromElsewhere(token, 'DELETE', `${FACTOR}/passkeys/${passkey.id}`)).status).toBe(200)
    expect(await expectOneMail(user, 'passkey_removed')).not.toContain('021-555')
  })

  test('renewing recovery codes sends the user an email without any of the codes', async () => {
    const { user, accessToken, recoveryCodes } = await factor.enrolledUser()
    const { data } = await callFromElsewhere(accessToken, 'POST', `${FACTOR}/recovery-codes`)
    expect(data.recovery_codes).toHaveLength(10)
    const mail = await expectOneMail(user, 'recovery_codes_renewed')
    for (const code of [...recoveryCodes, ...data.recovery_codes]) expect(mail).not.toContain(code)
  })

  test('a login with a recovery code sends the user an email, but a login with an authenticator code does not', async () => {
    const enrolled = await factor.enrolledUser()
    const { user, recoveryCodes } = enrolled
    const complete = async (code: string) => {
      const body = { challenge: await factor.challengeFor(user), code }
      const headers = { 'user-agent': THIEF }
      return (await http('POST', `${service.demo.base_url}/v1/auth/login/otp`, { body, headers })).status
    }
    expect(await complete('aaaaa-aaaaa')).toBe(401)
    expect(await complete(factor.nextCode(enrolled))).toBe(200)
    expect(await mailsAbout(user, 'recovery_code_used')).toEqual([])
    const [code = ''] = recoveryCodes
    expect(await complete(code)).toBe(200)
    expect(await expectOneMail(user, 'recovery_code_used')).not.toContain(code)
  })

  test('using a recovery code to confirm a session sends the user an email', async () => {
    const { user, accessToken, recoveryCodes } = await factor.enrolledUser()
    const [code = ''] = recoveryCodes
    expect((await callFromElsewhere(accessToken, 'POST', `${FACTOR}/confirm`, { code })).status).toBe(200)
    expect(await expectOneMail(user, 'recovery_code_used')).not.toContain(code)
  })

  test('a password change sends the user an email that contains neither the old nor the new password', async () => {
    const user = await factor.users.makeUser()
    const { access_token: token } = await factor.users.startSession(user)
    const passwords = { current_password: user.password, new_password: 'a whole new password' }
    expect((await callFromElsewhere(token, 'POST', '/v1/account/password', passwords)).status).toBe(200)
    const mail = await expectOneMail(user, 'password_changed')
    for (const password of Object.values(passwords)) expect(mail).not.toContain(password)
  })

  test('a password reset sends the user an email without the password or the token', async () => {
    const user = await factor.users.makeUser()
    await factor.users.requestReset(user)
    const token = resetTokenIn(
      await until(
        'the mail with the token arrives',
        async () => (await mailsTo(service.dataDir, user.email))[0],
      ),
    )
    const confirmed = await http('POST', `${service.demo.base_url}/v1/auth/password-reset/confirm`, {
      body: { token, new_password: 'another new password' },
      headers: { 'user-agent': THIEF },
    })
    expect(confirmed.status).toBe(200)
    const mail = await expectOneMail(user, 'password_reset')
    for (const secret of ['another new password', token]) expect(mail).not.toContain(secret)
  })

  test('a rejected change to security settings sends no email', async () => {
    const { user, accessToken } = await factor.enrolledUser()
    const call = factor.call(accessToken)
    expect((await call('PUT', '/v1/account/security', { second_factor_required: true })).status).toBe(200)
    // Removing the second factor is rejected, because the tenant requires a second factor and the user has no
    // other one.
    expect((await call('DELETE', `${FACTOR}/totp`)).status).toBe(409)
    expect(await mailsAbout(user, 'totp_added')).toHaveLength(1)
    expect(await mailsOf(user)).toHaveLength(1)
  })
})

describe('a second factor reset by an admin sends the user an email', () => {
  async function reset({ tenantId, id }: User): Promise<void> {
    const owner = callsAs(service.demo, await logIn(service.demo, service.demo.owner))
    const { data } = await owner('DELETE', `/v1/tenants/${tenantId}/users/${id}/second-factor`)
    expect(data).toEqual({ reset: true })
  }

  test("the email about an admin's reset of a second factor shows the time, but no IP address or device", async () => {
    const { user } = await factor.enrolledUser()
    await reset(user)
    const [mail, ...others] = await mailsAbout(user, 'second_factor_reset_by_admin')
    expect(others).toEqual([])
    expect(mail).toMatch(TIME)
    expect(mail).not.toMatch(/IP address|Device/)
  })

  test('a disabled user also gets the email about a second factor reset', async () => {
    const { user } = await factor.enrolledUser()
    // Creates another admin first, because a tenant must always have an active admin.
    const colleague = { email: `${newId()}@example.com`, password: 'correct horse battery' }
    await createUser(service.app, null, user.tenantId, { ...colleague, permissions: ['admin'] })
    await service.app.db.raw(`update users set status = 'disabled' where id = ?`, [user.id])
    await reset(user)
    expect(await mailsAbout(user, 'second_factor_reset_by_admin')).toHaveLength(1)
  })

  test('resetting the second factor of a user without one sends no email, because nothing changed', async () => {
    const user = await factor.users.makeUser()
    await reset(user)
    expect(await mailsOf(user)).toEqual([])
  })
})
