import { beforeAll, describe, expect, test } from 'vitest'
import { callProcedure } from '../../src/api/call-procedure.ts'
import type { Context } from '../../src/api/context.ts'
import { authRouter } from '../../src/auth/auth.router.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atOnce } from '../support/merchant.ts'
import { INVALID_REFRESH, outcome, usersOf } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

describe('a client can exchange a refresh token for a new access token of the same session', () => {
  test('a token refresh responds like a login, with a new access token and the session’s next refresh token', async () => {
    const session = await users.startSession()
    const { status, data } = await users.refresh(session.refresh_token)
    expect([status, Object.keys(data)]).toEqual([
      200,
      ['access_token', 'refresh_token', 'token_type', 'expires_in'],
    ])
    expect(data.refresh_token).not.toBe(session.refresh_token)
    expect(data.access_token).not.toBe(session.access_token)
    expect((await users.call(data.access_token)).status).toBe(200)
    expect((await users.refresh(data.refresh_token)).status).toBe(200)
  })

  test('a refresh token reused within ten seconds still returns a working access token', async () => {
    service.stopClock()
    const session = await users.startSession()
    await users.refresh(session.refresh_token)
    const second = await users.refresh(session.refresh_token)
    expect(second.status).toBe(200)
    expect((await users.refresh(second.data.refresh_token)).status).toBe(200)
  })

  test('a used refresh token still works for requests that arrive within ten seconds of its first use', async () => {
    service.stopClock()
    const session = await users.startSession()
    await users.refresh(session.refresh_token)
    const usedAt = service.app.clock().getTime()
    const ctx = {
      app: { ...service.app, clock: () => new Date(usedAt + 12_000) },
      arrivedAt: new Date(usedAt + 9_000),
      source: () => '203.0.113.1',
      track: (procedure: Promise<unknown>) => procedure,
      client: { address: undefined, userAgent: undefined },
    }
    const refreshed = await callProcedure(authRouter.refresh, {
      ...{ path: 'auth.refresh', type: 'mutation', signal: undefined, batchIndex: 0 },
      getRawInput: async () => ({ refresh_token: session.refresh_token }),
      ctx: ctx as Partial<Context> as Context,
    })
    expect(refreshed).toHaveProperty('refresh_token')
  })

  test('if a refresh token is reused after ten seconds, its session ends, but other sessions continue', async () => {
    const user = await users.makeUser()
    const [session, other] = [await users.startSession(user), await users.startSession(user)]
    const { data } = await users.refresh(session.refresh_token)
    service.advance(10_000)
    expect(outcome(await users.refresh(session.refresh_token))).toEqual(INVALID_REFRESH)
    expect(outcome(await users.refresh(data.refresh_token))).toEqual(INVALID_REFRESH)
    expect((await users.refresh(other.refresh_token)).status).toBe(200)
  })

  test('if a refresh token is used twice, only one of the two new tokens can continue the session', async () => {
    const session = await users.startSession()
    const [own, stolen] = [
      await users.refresh(session.refresh_token),
      await users.refresh(session.refresh_token),
    ]
    service.advance(10_000)
    const { data } = await users.refresh(own.data.refresh_token)
    service.advance(10_000)
    expect(outcome(await users.refresh(stolen.data.refresh_token))).toEqual(INVALID_REFRESH)
    expect(outcome(await users.refresh(data.refresh_token))).toEqual(INVALID_REFRESH)
  })

  test('using one of two tokens from a refresh token immediately does not invalidate the other token', async () => {
    const session = await users.startSession()
    const [used, kept] = [
      await users.refresh(session.refresh_token),
      await users.refresh(session.refresh_token),
    ]
    await users.refresh(used.data.refresh_token)
    service.advance(10_000)
    expect((await users.refresh(kept.data.refresh_token)).status).toBe(200)
  })

  test('two clients with different tokens from the same refresh token are both logged out', async () => {
    const session = await users.startSession()
    const [own, stolen] = [
      await users.refresh(session.refresh_token),
      await users.refresh(session.refresh_token),
    ]
    const second = await users.refresh(own.data.refresh_token)
    service.advance(10_000)
    const third = await users.refresh(second.data.refresh_token)
    service.advance(10_000)
    expect(outcome(await users.refresh(stolen.data.refresh_token))).toEqual(INVALID_REFRESH)
    expect(outcome(await users.refresh(third.data.refresh_token))).toEqual(INVALID_REFRESH)
  })

  test('concurrent requests with the same refresh token each get a new refresh token that works', async () => {
    service.stopClock()
    const session = await users.startSession()
    const answers = await Promise.all(Array.from({ length: 8 }, () => users.refresh(session.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const tokens = answers.map(({ data }) => data.refresh_token)
    expect(new Set(tokens).size).toBe(8)
    const next = await atOnce(8, tokens, users.refresh)
    expect(next.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  test('if reuse of an old refresh token ends a session during a refresh, no token stays valid', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await users.startSession()
      const { data } = await users.refresh(session.refresh_token)
      service.advance(10_000)
      const [reuse, beside] = await Promise.all([
        users.refresh(session.refresh_token),
        users.refresh(data.refresh_token),
      ])
      expect(reuse.status).toBe(401)
      if (beside.status === 200) expect((await users.refresh(beside.data.refresh_token)).status).toBe(401)
    }
  })

  test('a refresh token can be used for thirty days and then expires', async () => {
    const session = await users.startSession()
    const other = await users.startSession()
    service.advance(30 * 86_400_000 - 60_000)
    expect((await users.refresh(session.refresh_token)).status).toBe(200)
    service.advance(60_000)
    expect(outcome(await users.refresh(other.refresh_token))).toEqual(INVALID_REFRESH)
  })

  test("a token refresh reads the tenant's tier from the database, not from the previous access token", async () => {
    const user = await users.makeUser()
    const session = await users.startSession(user)
    await service.app.db.raw(`update tenants set tier = 'starter' where id = ?`, [user.tenantId])
    const { data } = await users.refresh(session.refresh_token)
    expect(JSON.parse(Buffer.from(data.access_token.split('.')[1], 'base64url').toString())).toMatchObject({
      sub: user.tenantId,
      user_id: user.id,
      tier: 'starter',
    })
  })

  test('a token refresh is rejected while the tenant is suspended, but the same refresh token works again afterwards', async () => {
    const user = await users.makeUser()
    const session = await users.startSession(user)
    const suspend = (status: string) =>
      service.app.db.raw('update tenants set status = ? where id = ?', [status, user.tenantId])
    await suspend('suspended')
    expect(outcome(await users.refresh(session.refresh_token))).toEqual([
      403,
      'FORBIDDEN',
      'forbidden: this tenant is suspended',
    ])
    await suspend('active')
    service.advance(10_000)
    expect((await users.refresh(session.refresh_token)).status).toBe(200)
  })

  test('a token refresh is rejected if the value sent is not a refresh token', async () => {
    const { access_token } = await users.startSession()
    for (const token of ['nope', access_token.slice(0, 255), 'gp_refresh_', `gp_refresh_${'a'.repeat(43)}`])
      expect(outcome(await users.refresh(token))).toEqual(INVALID_REFRESH)
    for (const body of [{}, { refresh_token: '' }, { refresh_token: 7 }]) {
      const answer = await users.post('refresh', body)
      expect([answer.status, answer.error.message]).toEqual([
        400,
        expect.stringMatching(/^bad request: refresh_token: /),
      ])
    }
  })
})

describe('logouts', () => {
  test("logging out with any of a session's refresh tokens, even an old one, ends the whole session", async () => {
    const session = await users.startSession()
    const { data } = await users.refresh(session.refresh_token)
    expect((await users.post('logout', { refresh_token: session.refresh_token })).data).toEqual({
      logged_out: true,
    })
    expect(outcome(await users.refresh(data.refresh_token))).toEqual(INVALID_REFRESH)
  })

  test('logging out of an unknown session succeeds', async () => {
    expect((await users.post('logout', { refresh_token: 'nope' })).data).toEqual({ logged_out: true })
  })

  test('if a logout and a token refresh run at the same time, no valid token of the session remains', async () => {
    for (let round = 0; round < 10; round++) {
      const { refresh_token } = await users.startSession()
      const [beside] = await Promise.all([
        users.refresh(refresh_token),
        users.post('logout', { refresh_token }),
      ])
      if (beside.status === 200) expect((await users.refresh(beside.data.refresh_token)).status).toBe(401)
    }
  })
})
