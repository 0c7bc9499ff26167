// Tests that an access token stops working, in every process, when its session ends.

import { describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { http, until } from '../support/merchant.ts'
import { secondProcess } from '../support/second-process.ts'
import { outcome, type Session, type User, usersOf } from '../support/user.ts'

const testing = await testApp()
const users = usersOf(testing)
const processes = [testing.demo.base_url, (await secondProcess(testing)).url]

const INVALID = [401, 'UNAUTHORIZED', 'Invalid JWT token']

const account = (url: string, { access_token }: Pick<Session, 'access_token'>) =>
  http('GET', `${url}/v1/account`, { auth: `Bearer ${access_token}` })
const inEach = async (session: Pick<Session, 'access_token'>) =>
  Promise.all(processes.map(async url => (await account(url, session)).status))

async function areRefusedWithinASecond(sessions: Session[]): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 1_000))
  for (const session of sessions)
    for (const url of processes) expect(outcome(await account(url, session))).toEqual(INVALID)
}

/**
 * Creates a user with two sessions, one of which the test ends. Both processes have already
 * accepted the access tokens for both sessions, so the processes may have cached these tokens.
 */
async function knownEverywhere(): Promise<{ user: User; ended: Session; other: Session }> {
  const user = await users.makeUser()
  const [ended, other] = [await users.startSession(user), await users.startSession(user)]
  for (const session of [ended, other]) expect(await inEach(session)).toEqual([200, 200])
  return { user, ended, other }
}

describe('when a session ends, its access tokens stop working', () => {
  test('a logout invalidates all access tokens for its session, but no access tokens for other sessions', async () => {
    const { ended, other } = await knownEverywhere()
    const { data: renewed } = await users.refresh(ended.refresh_token)
    expect(await inEach(renewed)).toEqual([200, 200])
    await users.post('logout', { refresh_token: renewed.refresh_token })
    await areRefusedWithinASecond([ended, renewed])
    expect(await inEach(other)).toEqual([200, 200])
  })

  test("a password reset invalidates the access tokens of all the user's sessions, but not the access tokens of other users", async () => {
    const { user, ended, other } = await knownEverywhere()
    const stranger = await knownEverywhere()
    await users.requestReset(user)
    const mail = await until('the mail arrives', async () => (await mailsTo(testing.dataDir, user.email))[0])
    expect((await users.confirmReset(resetTokenIn(mail), 'a whole new password')).status).toBe(200)
    await areRefusedWithinASecond([ended, other])
    expect(await inEach(await users.startSession({ ...user, password: 'a whole new password' }))).toEqual([
      200, 200,
    ])
    expect(await inEach(stranger.other)).toEqual([200, 200])
  })

  test("a password change invalidates the access tokens for the user's other sessions, but not for the current session", async () => {
    const { user, ended, other } = await knownEverywhere()
    await users.changePassword(other.access_token, user.password, 'a whole new password')
    await areRefusedWithinASecond([ended])
    expect(await inEach(other)).toEqual([200, 200])
  })

  test('if a used refresh token is used again, only the access tokens of its own session become invalid', async () => {
    const { ended, other } = await knownEverywhere()
    const { data: renewed } = await users.refresh(ended.refresh_token)
    testing.advance(10_000)
    expect((await users.refresh(ended.refresh_token)).status).toBe(401)
    await areRefusedWithinASecond([ended, renewed])
    expect(await inEach(other)).toEqual([200, 200])
  })
})
