import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { atOnce, until } from '../support/merchant.ts'
import { INVALID_REFRESH, outcome, type User, usersOf, WRONG_LOGIN } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

describe('users can reset a forgotten password with a token sent by email', () => {
  const BAD_TOKEN = [
    400,
    'BAD_REQUEST',
    'bad request: token: is invalid: it was used, has expired or never existed; request another password reset',
  ]

  async function mailed(user: User, count = 1): Promise<string> {
    expect((await users.requestReset(user)).data).toEqual({ requested: true })
    const mails = await until('the mail arrives', async () => {
      const all = await mailsTo(service.dataDir, user.email)
      return all.length >= count && all
    })
    return resetTokenIn(mails.at(-1) as string)
  }

  test("a password reset sets the new password and ends all of the user's sessions", async () => {
    const user = await users.makeUser()
    const sessions = [await users.startSession(user), await users.startSession(user)]
    const token = await mailed(user)
    expect((await users.confirmReset(token, 'a whole new password')).data).toEqual({ reset: true })
    for (const { refresh_token } of sessions)
      expect(outcome(await users.refresh(refresh_token))).toEqual(INVALID_REFRESH)
    expect(outcome(await users.logIn(user))).toEqual(WRONG_LOGIN)
    expect((await users.logIn({ ...user, password: 'a whole new password' })).status).toBe(200)
  })

  test('a password reset is recorded in the audit log', async () => {
    const user = await users.makeUser()
    await users.confirmReset(await mailed(user), 'a whole new password')
    const { rows } = await service.app.db.raw(
      'select action, actor_user_id, subject_id, before, after from audit_log where tenant_id = ?',
      [user.tenantId],
    )
    expect(rows).toEqual([
      {
        action: 'user.reset_password',
        actor_user_id: user.id,
        subject_id: user.id,
        before: null,
        after: null,
      },
    ])
  })

  test('a password reset token works only once, even for two concurrent requests', async () => {
    const user = await users.makeUser()
    const token = await mailed(user)
    const passwords = Array.from({ length: 6 }, (_, n) => `new password ${n}`)
    const answers = await atOnce(6, passwords, password => users.confirmReset(token, password))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] as string
    expect((await users.logIn({ ...user, password: winner })).status).toBe(200)
    expect(outcome(await users.confirmReset(token, 'another password'))).toEqual(BAD_TOKEN)
  })

  test('a password reset invalidates all reset tokens that were emailed to the user', async () => {
    const user = await users.makeUser()
    const tokens = [await mailed(user), await mailed(user, 2)]
    expect(new Set(tokens).size).toBe(2)
    const answers = await atOnce(2, tokens, token =>
      users.confirmReset(token, `password by ${token.slice(-8)}`),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('a password reset token expires after half an hour', async () => {
    const [early, late] = [await users.makeUser(), await users.makeUser()]
    const tokens = [await mailed(early), await mailed(late)] as const
    service.advance(29 * 60_000)
    expect((await users.confirmReset(tokens[0], 'in good time')).status).toBe(200)
    service.advance(60_000)
    expect(outcome(await users.confirmReset(tokens[1], 'a bit too late'))).toEqual(BAD_TOKEN)
  })

  test('a password reset also ends a session that is opened concurrently with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await users.makeUser()
      const token = await mailed(user)
      const [, ...logins] = await Promise.all([
        users.confirmReset(token, 'a whole new password'),
        ...Array.from({ length: 4 }, () => users.logIn(user)),
      ])
      for (const login of logins)
        if (login.status === 200) expect((await users.refresh(login.data.refresh_token)).status).toBe(401)
    }
  })

  test('a password reset rejects a password of fewer than eight characters and an invalid token', async () => {
    const short = await users.confirmReset('nope', '1234567')
    expect(outcome(short)).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: new_password: must be at least 8 characters',
    ])
    expect(outcome(await users.confirmReset('nope', '12345678'))).toEqual(BAD_TOKEN)
  })

  test('a password reset request for an unknown email address gets the same response as for a known one', async () => {
    const user = await users.makeUser()
    const known = await users.requestReset(user)
    const unknown = await users.requestReset({ ...user, email: 'nobody@example.com' })
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
  })

  test("a password reset sends no email to another tenant's users or to unknown addresses", async () => {
    const [user, other] = [await users.makeUser(), await users.makeUser()]
    await users.requestReset({ tenantId: other.tenantId, email: user.email })
    await users.requestReset({ tenantId: user.tenantId, email: 'nobody@example.com' })
    await until('both jobs have ended', async () => {
      const { rows } = await service.app.db.raw(
        `select from graphile_worker.jobs where task_identifier = 'send_password_reset'`,
      )
      return rows.length === 0
    })
    expect(await mailsTo(service.dataDir, user.email)).toEqual([])
    expect(await mailsTo(service.dataDir, 'nobody@example.com')).toEqual([])
  })

  test('a password reset request finds the user by email address (case-insensitive)', async () => {
    const user = await users.makeUser()
    await users.requestReset({ ...user, email: user.email.toUpperCase() })
    await until('the mail arrives', async () => (await mailsTo(service.dataDir, user.email)).length === 1)
  })

  test("only the service's system user can read a password reset email with its token", async () => {
    const user = await users.makeUser()
    const token = await mailed(user)
    const [mail] = await mailsTo(service.dataDir, user.email)
    expect(mail).toContain('Subject: Set a new Gapura password')
    expect(mail).toContain(`${service.app.publicUrl}/v1/auth/password-reset/confirm`)
    expect(mail).toContain(token)
    const directory = join(service.dataDir, 'mail')
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    for (const file of await readdir(directory))
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600)
  })

  test('at most three password reset emails are sent to a user in half an hour', async () => {
    const user = await users.makeUser()
    for (let count = 1; count <= 3; count++) await mailed(user, count)
    await users.requestReset(user)
    await until('the job has ended', async () => {
      const { rows } = await service.app.db.raw(
        `select from graphile_worker.jobs where task_identifier = 'send_password_reset'`,
      )
      return rows.length === 0
    })
    expect(await mailsTo(service.dataDir, user.email)).toHaveLength(3)
    service.advance(30 * 60_000)
    await mailed(user, 4)
  })

  test('a password reset request with an invalid tenant or email address is rejected', async () => {
    for (const [body, field] of [
      [{ tenant_id: 'nope', email: 'a@example.com' }, 'tenant_id'],
      [{ email: 'a@example.com' }, 'tenant_id'],
      [{ tenant_id: newId() }, 'email'],
      [{ tenant_id: newId(), email: 'a\0b' }, 'email'],
    ] as const) {
      const answer = await users.post('password-reset/request', body)
      expect([answer.status, answer.error.message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^bad request: ${field}: `)),
      ])
    }
  })
})
