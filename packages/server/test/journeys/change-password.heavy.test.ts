import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertUser } from '../../src/auth/users/user.sql.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { http, until } from '../support/merchant.ts'
import { INVALID_REFRESH, outcome, usersOf, WRONG_LOGIN } from '../support/user.ts'

const NEXT = 'a whole new password'
const WRONG_PASSWORD = [400, 'BAD_REQUEST', 'bad request: current_password: is wrong']

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})
/**
 * Deletes failed logins from earlier tests, because failed logins are limited by IP address and all tests share
 * one address.
 */
beforeEach(() => service.app.db.raw('delete from login_throttles'))

async function loggedIn() {
  const user = await users.makeUser()
  return { user, session: await users.startSession(user) }
}

describe('a logged-in user can change the password', () => {
  test('after a password change, only the new password can be used to log in', async () => {
    const { user, session } = await loggedIn()
    const { status, data } = await users.changePassword(session.access_token, user.password, NEXT)
    expect([status, data]).toEqual([200, { changed: true }])
    expect(outcome(await users.logIn(user))).toEqual(WRONG_LOGIN)
    expect((await users.logIn({ ...user, password: NEXT })).status).toBe(200)
  })

  test("a password change ends all of the user's other sessions, but no other user's sessions", async () => {
    const { user, session } = await loggedIn()
    const [other, colleague] = [await users.startSession(user), await users.startSession()]
    // Refreshes the current session before the password change, to test that it still counts as the current
    // session after the change.
    const { data: renewed } = await users.refresh(session.refresh_token)
    await users.changePassword(renewed.access_token, user.password, NEXT)
    expect(outcome(await users.refresh(other.refresh_token))).toEqual(INVALID_REFRESH)
    expect((await users.refresh(renewed.refresh_token)).status).toBe(200)
    expect((await users.refresh(colleague.refresh_token)).status).toBe(200)
  })

  test('a password change invalidates all password reset tokens that were emailed before', async () => {
    const { user, session } = await loggedIn()
    await users.requestReset(user)
    const mail = await until('the mail arrives', async () => (await mailsTo(service.dataDir, user.email))[0])
    await users.changePassword(session.access_token, user.password, NEXT)
    const { status, error } = await users.confirmReset(resetTokenIn(mail), 'a password of somebody else')
    expect([status, error.message]).toEqual([400, expect.stringMatching(/^bad request: token: is invalid/)])
  })

  test('a password change is recorded in the audit log without either password', async () => {
    const { user, session } = await loggedIn()
    await users.changePassword(session.access_token, user.password, NEXT)
    const { rows } = await service.app.db.raw('select * from audit_log where subject_id = ?', [user.id])
    expect(rows).toMatchObject([
      {
        action: 'user.change_password',
        actor_tenant_id: user.tenantId,
        actor_user_id: user.id,
        tenant_id: user.tenantId,
        before: null,
        after: null,
      },
    ])
  })

  test('a password change also ends a session opened with the old password during the change', async () => {
    for (let round = 0; round < 5; round++) {
      const { user, session } = await loggedIn()
      const [, beside] = await Promise.all([
        users.changePassword(session.access_token, user.password, NEXT),
        users.logIn(user),
      ])
      if (beside.status === 200) expect((await users.refresh(beside.data.refresh_token)).status).toBe(401)
    }
  })

  test('of two simultaneous password changes, only one succeeds, and only its password works', async () => {
    const { user, session } = await loggedIn()
    const passwords = ['the first password', 'the second password']
    const answers = await Promise.all(
      passwords.map(password => users.changePassword(session.access_token, user.password, password)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    for (const [index, password] of passwords.entries())
      expect((await users.logIn({ ...user, password })).status).toBe(
        answers[index]?.status === 200 ? 200 : 401,
      )
  })
})

describe('wrong current passwords delay password changes, but not logins', () => {
  test('a password change with a wrong current password changes nothing, and the error names the field', async () => {
    const { user, session } = await loggedIn()
    const other = await users.startSession(user)
    expect(outcome(await users.changePassword(session.access_token, 'wrong', NEXT))).toEqual(WRONG_PASSWORD)
    expect((await users.logIn(user)).status).toBe(200)
    expect(outcome(await users.logIn({ ...user, password: NEXT }))).toEqual(WRONG_LOGIN)
    expect((await users.refresh(other.refresh_token)).status).toBe(200)
    const { rows } = await service.app.db.raw('select from audit_log where subject_id = ?', [user.id])
    expect(rows).toEqual([])
  })

  test('after too many wrong current passwords, a session cannot change the password for a while', async () => {
    const { user, session } = await loggedIn()
    const change = (password: string) => users.changePassword(session.access_token, password, NEXT)
    expect(outcome(await change('wrong'))).toEqual(WRONG_PASSWORD)
    await service.app.db.raw(`update login_throttles set failures = 30 where lane like 'session %'`)
    for (const refused of [await change(user.password), await change('wrong')]) {
      expect([refused.status, refused.error.code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await users.logIn(user)).status).toBe(200)
    service.advance(15 * 60_000)
    expect((await change(user.password)).status).toBe(401)
    const { data } = await users.refresh(session.refresh_token)
    expect((await users.changePassword(data.access_token, user.password, NEXT)).status).toBe(200)
  })

  test('failed logins with wrong passwords do not prevent a logged-in user from changing the password', async () => {
    const { user, session } = await loggedIn()
    await users.logIn({ ...user, password: 'wrong' })
    await service.app.db.raw('update login_throttles set failures = 30')
    expect((await users.logIn(user)).status).toBe(429)
    expect((await users.changePassword(session.access_token, user.password, NEXT)).status).toBe(200)
  })

  test('the count of wrong current passwords is reset after the correct password is entered', async () => {
    const { user, session } = await loggedIn()
    let password = user.password
    for (const next of ['the second password', 'the third password']) {
      for (let n = 0; n < 9; n++)
        expect(outcome(await users.changePassword(session.access_token, 'wrong', next))).toEqual(
          WRONG_PASSWORD,
        )
      expect((await users.changePassword(session.access_token, password, next)).status).toBe(200)
      password = next
    }
  })
})

test.each([
  [
    'a new password that is too short',
    { current_password: 'x', new_password: 'short' },
    'new_password: must be at least 8',
  ],
  ['no new password', { current_password: 'x' }, 'new_password: '],
  [
    'no current password',
    { current_password: '', new_password: NEXT },
    'current_password: must not be empty',
  ],
])('a password change with %s is rejected with an error that names the field', async (_, body, message) => {
  const { session } = await loggedIn()
  const { status, error } = await http('POST', `${service.demo.base_url}/v1/account/password`, {
    auth: `Bearer ${session.access_token}`,
    body,
  })
  expect([status, error.message]).toEqual([400, expect.stringContaining(`bad request: ${message}`)])
})

test("the user list contains only users of the caller's tenant, newest first and in pages", async () => {
  const { user, session } = await loggedIn()
  const second = {
    ...user,
    id: newId(),
    email: `second-${user.email}`,
    passwordHash: 'none',
    permissions: ['admin' as const],
  }
  await insertUser(service.app.db, second)
  await users.makeUser()
  const page = async (query: string) => {
    const { data } = await http('GET', `${service.demo.base_url}/v1/account/users?${query}`, {
      auth: `Bearer ${session.access_token}`,
    })
    return [data.items.map(({ email }: { email: string }) => email), data.next_cursor]
  }
  const [first, cursor] = await page('limit=1')
  expect(first).toEqual([second.email])
  expect(await page(`limit=1&cursor=${cursor}`)).toEqual([[user.email], null])
})
