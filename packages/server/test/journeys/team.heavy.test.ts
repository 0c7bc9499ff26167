import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { invitationTokenIn, joinedUserMailsTo, mailsTo } from '../support/mail.ts'
import { callsAs, managersOf, newTenant } from '../support/management-api.ts'
import { until } from '../support/merchant.ts'
import { usersOf, WRONG_LOGIN } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

type Team = Awaited<ReturnType<typeof newTenant>>
const newTeam = () => newTenant(service.app, service.demo, 'client')
const newEmail = () => `${newId()}@example.com`
const path = ({ id }: Team, rest = '') => `/v1/tenants/${id}/users${rest}`
const password = 'correct horse battery staple'

async function invite(team: Team, email = newEmail(), permissions = ['support']) {
  const { data } = await team.call('POST', path(team), { email, permissions })
  return { ...data, email } as { id: string; email: string; status: string }
}
const tokenFor = async (email: string, nth = 0): Promise<string> =>
  invitationTokenIn(
    await until('the invitation arrives', async () => (await mailsTo(service.dataDir, email))[nth]),
  )
const accept = (token: string, new_password = password) =>
  users.post('invitations/accept', { token, new_password })
const addUser = async (team: Team, permissions: string[]) =>
  (await team.call('POST', path(team), { email: newEmail(), password, permissions })).data as {
    id: string
    email: string
  }

describe('invitations', () => {
  test("a colleague invited by a merchant's admin sets a password using the emailed link and logs in", async () => {
    const team = await newTeam()
    const user = await invite(team, newEmail(), ['finance'])
    expect(user.status).toBe('invited')
    expect((await users.logIn({ ...user, password })).status).toBe(401)
    const token = await tokenFor(user.email)
    const [mail = ''] = await mailsTo(service.dataDir, user.email)
    expect(mail).toContain(`/dashboard/accept-invitation#${token}`)
    expect((await accept(token)).data).toEqual({ accepted: true })
    const { data } = await users.logIn({ ...user, password })
    const account = await callsAs(service.demo, `Bearer ${data.access_token}`)('GET', '/v1/account')
    expect(account.data).toMatchObject({ id: team.id, user: { permissions: ['finance'], status: 'active' } })
  })

  test('an invitation to a team can be accepted only once, even by twenty concurrent requests', async () => {
    const team = await newTeam()
    const user = await invite(team)
    const token = await tokenFor(user.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => accept(token, `password number ${n}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await users.logIn({ ...user, password: `password number ${winner}` })).status).toBe(200)
    expect((await accept(token)).error.message).toMatch(/^bad request: token: is invalid/)
  })

  test('an invitation to a team expires after seven days, and resending it invalidates the earlier link', async () => {
    const team = await newTeam()
    const user = await invite(team)
    const first = await tokenFor(user.email)
    expect((await team.call('POST', path(team, `/${user.id}/resend-invitation`))).status).toBe(200)
    const second = await tokenFor(user.email, 1)
    expect((await accept(first)).status).toBe(400)
    service.advance(7 * 86_400_000)
    expect((await accept(second)).status).toBe(400)
    const fresh = await invite(await newTeam())
    expect((await accept(await tokenFor(fresh.email))).status).toBe(200)
  })

  test("a removed user's invitation link is no longer valid, and the email address can be invited again", async () => {
    const team = await newTeam()
    const user = await invite(team)
    const token = await tokenFor(user.email)
    expect((await team.call('DELETE', path(team, `/${user.id}`))).data).toEqual({ removed: true })
    expect((await accept(token)).status).toBe(400)
    expect((await team.call('PATCH', path(team, `/${user.id}`), { status: 'active' })).status).toBe(404)
    expect((await invite(team, user.email)).status).toBe('invited')
  })

  test('the database stores an invitation token only as a hash', async () => {
    const user = await invite(await newTeam())
    const token = await tokenFor(user.email)
    const { rows } = await service.app.db.raw('select token_hash from invitations where user_id = ?', [
      user.id,
    ])
    expect(rows).toEqual([{ token_hash: service.app.secrets.hash(token) }])
  })

  test('a team can send at most three invitations to an email address in 30 minutes', async () => {
    const team = await newTeam()
    const user = await invite(team)
    const resend = (id: string) => team.call('POST', path(team, `/${id}/resend-invitation`))
    const answers = await Promise.all(Array.from({ length: 5 }, () => resend(user.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
    const limited = answers.find(({ status }) => status === 429)
    expect(limited?.error.message).toMatch(
      /^rate limited: 3 invitations were already sent to this email address; try again in (29|30) minutes$/,
    )
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(1_700)
    await team.call('DELETE', path(team, `/${user.id}`))
    const again = await team.call('POST', path(team), { email: user.email, permissions: ['support'] })
    expect([again.status, again.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await invite(team)).status).toBe('invited')
  })

  test('a Partner can invite an email address to its Clients’ teams three times in 30 minutes', async () => {
    const partner = await newTenant(service.app, service.demo, 'partner')
    const newClient = () => newTenant(service.app, service.demo, 'client', partner.id)
    const email = newEmail()
    for (let count = 0; count < 3; count++) {
      const team = { ...(await newClient()), call: partner.call }
      const { id, status } = await invite(team, email)
      expect(status).toBe('invited')
      await team.call('DELETE', path(team, `/${id}`))
    }
    const client = await newClient()
    const limited = await partner.call('POST', path(client), { email, permissions: ['support'] })
    expect([limited.status, limited.error.message]).toEqual([
      429,
      expect.stringMatching(/^rate limited: 3 invitations were already sent to this email address; /),
    ])
    expect((await invite(client, email)).status).toBe('invited')
  })

  /**
   * Adds `most` entries to the audit log, as if users of the tenant `senderId` had sent this number of
   * invitations to the given team.
   */
  async function recordInvitations(senderId: string, team: Team, most: number): Promise<void> {
    for (let count = 0; count < most; count++)
      await service.app.db.raw(
        `insert into audit_log (id, actor_tenant_id, tenant_id, action, after) values (?, ?, ?, 'user.invite', ?)`,
        [newId(), senderId, team.id, JSON.stringify({ email: `user-${count}@example.com` })],
      )
  }

  test('a Partner can send its Clients’ teams a total of 50 invitations in 30 minutes', async () => {
    const partner = await newTenant(service.app, service.demo, 'partner')
    const [team, other] = [
      await newTenant(service.app, service.demo, 'client', partner.id),
      await newTenant(service.app, service.demo, 'client', partner.id),
    ]
    const { id } = await invite({ ...team, call: partner.call })
    await recordInvitations(partner.id, team, 49)
    const limited = [
      await partner.call('POST', path(other), { email: newEmail() }),
      await partner.call('POST', path(team, `/${id}/resend-invitation`)),
    ]
    for (const { status, error } of limited)
      expect([status, error.message]).toEqual([
        429,
        expect.stringMatching(
          /^rate limited: your tenant already sent 50 invitations in the last 30 minutes; try again in (29|30) minutes$/,
        ),
      ])
    expect((await invite(team)).status).toBe('invited')
  })

  test('a Partner and its Clients together can send ten invitations to one email address in 30 minutes', async () => {
    const partner = await newTenant(service.app, service.demo, 'partner')
    const newClient = () => newTenant(service.app, service.demo, 'client', partner.id)
    const email = newEmail()
    for (let count = 0; count < 10; count++) {
      const team = await newClient()
      const { id, status } = await invite(team, email)
      expect(status).toBe('invited')
      await team.call('DELETE', path(team, `/${id}`))
    }
    const last = await newClient()
    // With an idempotency key, the request runs in a transaction that can read only the rows of the caller's tenants.
    const withKey: typeof last.call = (method, to, body) =>
      last.call(method, to, body, { 'x-idempotency-key': newId() })
    for (const call of [last.call, withKey, partner.call]) {
      const limited = await call('POST', path(last), { email: email.toUpperCase() })
      expect([limited.status, limited.error?.message]).toEqual([
        429,
        expect.stringMatching(/^rate limited: 10 invitations were already sent to this email address; /),
      ])
    }
    expect((await invite(last)).status).toBe('invited')
    expect((await invite(await newTeam(), email)).status).toBe('invited')
  })

  test('a Partner and its Clients together can send 500 invitations in 30 minutes', async () => {
    const partner = await newTenant(service.app, service.demo, 'partner')
    const [team, other] = [
      await newTenant(service.app, service.demo, 'client', partner.id),
      await newTenant(service.app, service.demo, 'client', partner.id),
    ]
    const { id } = await invite(team)
    for (let count = 0; count < 10; count++) {
      const { id } = await newTenant(service.app, service.demo, 'client', partner.id)
      await recordInvitations(id, team, 49)
    }
    await recordInvitations(partner.id, team, 8)
    await invite(other)
    const limited = [
      await other.call('POST', path(other), { email: newEmail() }),
      await partner.call('POST', path(other), { email: newEmail() }),
      await team.call('POST', path(team, `/${id}/resend-invitation`)),
      await team.call('POST', path(team, `/${id}/resend-invitation`), undefined, {
        'x-idempotency-key': newId(),
      }),
    ]
    for (const { status, error } of limited)
      expect([status, error?.message]).toEqual([
        429,
        expect.stringMatching(
          /^rate limited: a Partner and its Clients together already sent 500 invitations in the last 30 minutes; try again in \d+ minutes$/,
        ),
      ])
    expect((await invite(await newTeam())).status).toBe('invited')
  })

  test('the total number of the Owner’s invitations is not limited', async () => {
    const { owner } = await managersOf(service.demo)
    const team = await newTeam()
    await recordInvitations(service.demo.owner.tenant_id, team, 50)
    expect((await invite({ ...team, call: owner })).status).toBe('invited')
  })

  test('invitations sent more than 30 minutes ago do not count toward the limit', async () => {
    const team = await newTeam()
    const { id, email } = await invite(team)
    for (let count = 0; count < 3; count++)
      await service.app.db.raw(
        `insert into audit_log (id, tenant_id, action, after, at)
         values (?, ?, 'user.resend_invitation', ?, now() - interval '30 minutes')`,
        [newId(), team.id, JSON.stringify({ email })],
      )
    expect((await team.call('POST', path(team, `/${id}/resend-invitation`))).status).toBe(200)
  })

  test('an invitation cannot be resent to a user who has already accepted one', async () => {
    const team = await newTeam()
    const { id } = await addUser(team, ['viewer'])
    const answer = await team.call('POST', path(team, `/${id}/resend-invitation`))
    expect([answer.status, answer.error.code]).toEqual([409, 'CONFLICT'])
  })
})

describe("a team's admins get an email when a user joins the team", () => {
  /** Waits until all emails about joined users have been sent. Returns the admin's emails about this user. */
  async function mailsAboutJoined(admin: { email: string }, user: { email: string }): Promise<string[]> {
    const waiting = `select from graphile_worker.jobs where task_identifier = 'report_joined_user'`
    await until('all mails are sent', async () => (await service.app.db.raw(waiting)).rows.length === 0)
    const mails = await joinedUserMailsTo(service.dataDir, admin.email)
    return mails.filter(mail => mail.includes(`${user.email} joined`))
  }

  test('every active admin gets one email when a user joins or is created with a password', async () => {
    const team = await newTeam()
    const admins = [await addUser(team, ['admin']), await addUser(team, ['admin', 'finance'])] as const
    expect(await mailsAboutJoined(...admins)).toMatchObject([expect.stringContaining('admin, finance\n')])
    const user = await invite(team, newEmail(), ['finance', 'support'])
    expect((await accept(await tokenFor(user.email))).status).toBe(200)
    for (const admin of admins) {
      const [mail = '', ...others] = await mailsAboutJoined(admin, user)
      expect(others).toEqual([])
      expect(mail).toContain(`${user.email} joined your team`)
      expect(mail).toContain(`${user.email} bergabung`)
      expect(mail).toContain('Permissions: finance, support\n')
      expect(mail).toMatch(/\nTime: {8}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n/)
      expect(mail).not.toMatch(/IP address|Device/)
      for (const page of ['users', 'audit-log'])
        expect(mail.split(`${service.app.publicUrl}/dashboard/${page}\n`)).toHaveLength(3)
    }
  })

  test("when a user joins a team, only the team's active admins get an email", async () => {
    const team = await newTeam()
    const disabled = await addUser(team, ['admin'])
    const admin = await addUser(team, ['admin'])
    await team.call('PATCH', path(team, `/${disabled.id}`), { status: 'disabled' })
    const others = [disabled, await addUser(team, ['developer', 'finance', 'support', 'viewer'])]
    const stranger = await addUser(await newTeam(), ['admin'])
    const user = await invite(team, newEmail(), ['admin'])
    expect((await accept(await tokenFor(user.email))).status).toBe(200)
    expect(await mailsAboutJoined(admin, user)).toHaveLength(1)
    for (const other of [...others, stranger, user]) expect(await mailsAboutJoined(other, user)).toEqual([])
  })

  test('an invitation that is not accepted sends no email to the admins', async () => {
    const team = await newTeam()
    const admin = await addUser(team, ['admin'])
    const user = await invite(team)
    await tokenFor(user.email)
    expect((await accept('gp_invite_wrong')).status).toBe(400)
    expect(await mailsAboutJoined(admin, user)).toEqual([])
  })
})

describe('only admins can change a team, and at least one active admin always remains', () => {
  test('a disabled user is logged out everywhere, and cannot log in again until the user is enabled', async () => {
    const team = await newTeam()
    const user = await addUser(team, ['support'])
    const session = await users.startSession({ ...user, password, tenantId: team.id })
    expect((await users.call(session.access_token)).status).toBe(200)
    await team.call('PATCH', path(team, `/${user.id}`), { status: 'disabled' })
    await until('the session has ended', async () => (await users.call(session.access_token)).status === 401)
    expect((await users.refresh(session.refresh_token)).status).toBe(401)
    const refused = await users.logIn({ ...user, password })
    expect([refused.status, refused.error.code, refused.error.message]).toEqual(WRONG_LOGIN)
    await team.call('PATCH', path(team, `/${user.id}`), { status: 'active' })
    expect((await users.logIn({ ...user, password })).status).toBe(200)
  })

  test("a tenant's last active admin can be neither demoted, disabled, nor removed", async () => {
    const team = await newTeam()
    await invite(team, newEmail(), ['admin'])
    await addUser(team, ['finance'])
    const { data } = await team.call('GET', '/v1/account')
    const self = path(team, `/${data.user.id}`)
    for (const answer of [
      await team.call('PATCH', self, { permissions: ['finance'] }),
      await team.call('PATCH', self, { status: 'disabled' }),
      await team.call('DELETE', self),
    ])
      expect([answer.status, answer.error.message]).toEqual([409, expect.stringMatching(/no active admin/)])
    expect((await team.call('GET', self.replace(`/${data.user.id}`, ''))).status).toBe(403)
  })

  test('one admin remains even if all admins are removed, demoted, or disabled at the same time', async () => {
    const { owner } = await managersOf(service.demo)
    for (let round = 0; round < 5; round++) {
      const team = await newTeam()
      const { data } = await team.call('GET', '/v1/account')
      const admins = [data.user, await addUser(team, ['admin']), await addUser(team, ['admin', 'finance'])]
      const acts = [
        (id: string) => owner('DELETE', path(team, `/${id}`)),
        (id: string) => owner('PATCH', path(team, `/${id}`), { permissions: ['viewer'] }),
        (id: string) => owner('PATCH', path(team, `/${id}`), { status: 'disabled' }),
      ]
      const answers = await Promise.all(admins.map(({ id }, n) => acts[(n + round) % 3]?.(id)))
      expect(answers.map(answer => answer?.status).toSorted()).toEqual([200, 200, 409])
    }
  })

  test('the database rejects concurrent transactions that would leave a tenant without an active admin', async () => {
    const { db } = service.app
    const team = await newTeam()
    const { data } = await team.call('GET', '/v1/account')
    const other = await addUser(team, ['admin'])
    const first = await db.transaction()
    await first.raw(`update users set permissions = '{viewer}' where id = ?`, [data.user.id])
    const second = db
      .raw(`update users set status = 'disabled' where id = ?`, [other.id])
      .catch(error => error)
    await first.commit()
    expect(await second).toMatchObject({ constraint: 'users_keep_an_admin' })
    await expect(db.raw('delete from users where id = ?', [other.id])).rejects.toThrow()
  })

  test('neither another merchant’s admin nor a user who is not an admin can change a team', async () => {
    const [team, strangers] = [await newTeam(), await newTeam()]
    const user = await addUser(team, ['developer', 'finance', 'support'])
    const target = path(strangers, `/${(await addUser(strangers, ['viewer'])).id}`)
    expect((await team.call('PATCH', target, { permissions: ['admin'] })).status).toBe(404)
    expect((await team.call('DELETE', target)).status).toBe(404)
    const { access_token } = await users.startSession({ ...user, password, tenantId: team.id })
    const call = callsAs(service.demo, `Bearer ${access_token}`)
    expect((await call('PATCH', path(team, `/${user.id}`), { permissions: ['admin'] })).status).toBe(403)
    expect((await call('POST', path(team), { email: newEmail() })).status).toBe(403)
  })

  test('the audit log contains every change to a team, with the values before and after', async () => {
    const team = await newTeam()
    const { id } = await addUser(team, ['viewer'])
    await team.call('PATCH', path(team, `/${id}`), { permissions: ['finance'] })
    await team.call('DELETE', path(team, `/${id}`))
    const { data } = await team.call('GET', '/v1/audit-log?limit=3')
    expect(data.items).toMatchObject([
      { action: 'user.remove', subject_id: id },
      { action: 'user.update', before: { permissions: ['viewer'] }, after: { permissions: ['finance'] } },
      { action: 'user.create' },
    ])
  })
})

test('a password reset request must contain the tenant ID in the REST API, but not in the dashboard', async () => {
  const user = await users.makeUser()
  const ask = (email: string) =>
    callsAs(service.demo)('POST', '/trpc/session.requestPasswordReset', { email })
  expect((await ask(user.email.toUpperCase())).status).toBe(200)
  expect((await ask('nobody@example.com')).status).toBe(200)
  await until('the mail arrives', async () => (await mailsTo(service.dataDir, user.email))[0])
  expect((await users.post('password-reset/request', { email: user.email })).status).toBe(400)
})
