import { beforeAll, expect, test } from 'vitest'
import { insertRefreshToken, lockRefreshToken } from '../../src/auth/log-in/session.sql.ts'
import { newRefreshToken, refreshTokenEnd } from '../../src/auth/log-in/session.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { newDeviceMailsTo } from '../support/mail.ts'
import { http, until } from '../support/merchant.ts'
import { type Session, type User, usersOf } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

const logInWith = (user: User, headers: Record<string, string>) =>
  http('POST', `${service.demo.base_url}/v1/auth/login`, {
    body: { email: user.email, password: user.password },
    headers,
  })
const sessionsOf = async (token: string) => {
  const { data } = await http('GET', `${service.demo.base_url}/v1/account/sessions`, {
    auth: `Bearer ${token}`,
  })
  return data.items as {
    id: string
    is_current: boolean
    user_agent: string
    address: string
    last_used_at: string
  }[]
}
const untilNoNewDeviceJob = () =>
  until('all logins are reported', async () => {
    const { rows } = await service.app.db.raw(
      `select from graphile_worker.jobs where task_identifier = 'report_new_device'`,
    )
    return rows.length === 0
  })
const end = (token: string, id = '') =>
  http('DELETE', `${service.demo.base_url}/v1/account/sessions${id && `/${id}`}`, { auth: `Bearer ${token}` })

test('users see their sessions with the device, address, and last use, and which one is current', async () => {
  const user = await users.makeUser()
  await users.startSession()
  await logInWith(user, { 'user-agent': 'phone' })
  const { data } = await logInWith(user, { 'user-agent': 'laptop' })
  const [laptop, phone, ...others] = await sessionsOf(data.access_token)
  expect(others).toEqual([])
  expect(laptop).toMatchObject({ user_agent: 'laptop', is_current: true, address: '127.0.0.1' })
  expect(phone).toMatchObject({ user_agent: 'phone', is_current: false })
  service.advance(60_000)
  const { data: renewed } = await users.refresh(data.refresh_token)
  const [used] = await sessionsOf(renewed.access_token)
  expect(
    Date.parse(used?.last_used_at ?? '') - Date.parse(laptop?.last_used_at ?? ''),
  ).toBeGreaterThanOrEqual(60_000)
})

test('a user can end one session, or all sessions except the current one', async () => {
  const user = await users.makeUser()
  const [current, first, second, third] = await Promise.all([1, 2, 3, 4].map(() => users.startSession(user)))
  const token = current?.access_token ?? ''
  const [target] = await sessionsOf(first?.access_token ?? '').then(all =>
    all.filter(each => each.is_current),
  )
  expect((await end(token, target?.id)).data).toEqual({ ended: true })
  expect((await end(token, target?.id)).status).toBe(404)
  await until(
    'the session has ended',
    async () => (await users.call(first?.access_token ?? '')).status === 401,
  )
  expect((await end(token)).data).toEqual({ ended: 2 })
  for (const session of [second, third])
    await until(
      'the session has ended',
      async () => (await users.call(session?.access_token ?? '')).status === 401,
    )
  expect((await sessionsOf(token)).map(each => each.is_current)).toEqual([true])
})

test("a user cannot end another user's session", async () => {
  const [mine, theirs] = [await users.startSession(), await users.startSession()]
  const [target] = await sessionsOf(theirs.access_token)
  expect((await end(mine.access_token, target?.id)).status).toBe(404)
  expect((await users.call(theirs.access_token)).status).toBe(200)
})

test('only a login from a new browser sends the user an email', async () => {
  const user = await users.makeUser()
  const mails = () => newDeviceMailsTo(service.dataDir, user.email)
  const first = await logInWith(user, { 'user-agent': 'Mozilla/5.0 Firefox/150.0' })
  await until('the mail arrives', async () => (await mails()).length === 1)
  expect((await mails())[0]).toContain('Device:      Firefox\n')
  expect((await mails())[0]).toContain('127.0.0.1')
  const cookie = /gapura_device=[^;]+/.exec(first.headers.get('set-cookie') ?? '')?.[0] ?? ''
  await logInWith(user, { 'user-agent': 'Mozilla/5.0 Firefox/150.0', cookie })
  await logInWith(user, { 'user-agent': 'Mozilla/5.0 Firefox/151.0', cookie })
  await logInWith(user, { 'user-agent': 'Mozilla/5.0 Chrome/150.0' })
  await until('the second mail arrives', async () => (await mails()).length === 2)
  expect((await mails())[1]).toContain('Device:      Chrome\n')
  expect(await mails()).toHaveLength(2)
})

test('two users who log in from one browser in turn each get one email', async () => {
  const two = [await users.makeUser(), await users.makeUser()]
  let cookie = ''
  for (const user of [...two, ...two, ...two]) {
    const answer = await logInWith(user, { 'user-agent': 'Mozilla/5.0 Firefox/150.0', cookie })
    cookie = /gapura_device=[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  }
  await untilNoNewDeviceJob()
  for (const { email } of two) expect(await newDeviceMailsTo(service.dataDir, email)).toHaveLength(1)
})

test('a login from another browser with the same IP address and User-Agent sends the user an email', async () => {
  const user = await users.makeUser()
  const mails = () => newDeviceMailsTo(service.dataDir, user.email)
  const browser = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0.0.0' }
  await logInWith(user, browser)
  await until('the mail arrives', async () => (await mails()).length === 1)
  await logInWith(user, browser)
  await until('the second mail arrives', async () => (await mails()).length === 2)
})

test('if a script without cookies logs in repeatedly, the user gets only one email about the new device', async () => {
  const user = await users.makeUser()
  const mails = () => newDeviceMailsTo(service.dataDir, user.email)
  await logInWith(user, { 'user-agent': 'curl/8.9.1' })
  await until('the mail arrives', async () => (await mails()).length === 1)
  await logInWith(user, { 'user-agent': 'curl/8.9.1' })
  await logInWith(user, { 'user-agent': 'python-requests/2.32' })
  await until('the second mail arrives', async () => (await mails()).length === 2)
  expect((await mails())[1]).toContain('Device:      Python\n')
})

test('logins from many new devices cause at most 20 emails to the user', async () => {
  const user = await users.makeUser()
  for (let n = 0; n < 22; n++) await logInWith(user, { 'user-agent': `Mozilla/5.0 Chrome/${n}.0` })
  await untilNoNewDeviceJob()
  expect(await newDeviceMailsTo(service.dataDir, user.email)).toHaveLength(20)
})

/**
 * Starts renewing a session, but leaves the transaction open. Returns the new refresh token and a function
 * that completes the renewal.
 */
async function beginRenewal(session: Session): Promise<{ next: string; finish: () => Promise<unknown> }> {
  const { db, secrets, clock } = service.app
  const next = newRefreshToken()
  const tx = await db.transaction()
  const token = await lockRefreshToken(tx, secrets.hash(session.refresh_token))
  if (!token) throw new Error('the refresh token is unknown')
  const [issuedAt, expiresAt] = [clock(), refreshTokenEnd(clock())]
  const { familyId, user } = token
  await insertRefreshToken(tx, {
    tokenHash: secrets.hash(next),
    familyId,
    userId: user.id,
    issuedAt,
    expiresAt,
  })
  return { next, finish: () => tx.commit() }
}

test("while one session renewal is slow, the user's logins and other session renewals do not wait for it", async () => {
  const user = await users.makeUser()
  const [slow, other] = [await users.startSession(user), await users.startSession(user)]
  const { finish } = await beginRenewal(slow)
  try {
    expect((await users.refresh(other.refresh_token)).status).toBe(200)
    expect((await users.logIn(user)).status).toBe(200)
  } finally {
    await finish()
  }
})

test.each(['the session', 'all other sessions'])(
  'if a user ends %s, a session that is being renewed at this moment also ends',
  async ended => {
    const user = await users.makeUser()
    const [current, renewed] = [await users.startSession(user), await users.startSession(user)]
    const { access_token } = current
    const target = (await sessionsOf(access_token)).find(each => !each.is_current)
    const { next, finish } = await beginRenewal(renewed)
    let isAnswered = false
    const ending = end(access_token, ended === 'the session' ? target?.id : undefined).then(() => {
      isAnswered = true
    })
    await until('the request waits for the renewal or is answered', async () => {
      const { rows } = await service.app.db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return isAnswered || rows.length > 0
    })
    await finish()
    await ending
    expect((await users.refresh(next)).status).toBe(401)
  },
)
