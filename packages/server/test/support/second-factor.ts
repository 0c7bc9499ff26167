// Sets up second factors for users over HTTP.

import type { TestApp } from './app.ts'
import { appCode, STEP_MS } from './authenticator-app.ts'
import { type Answer, http } from './merchant.ts'
import { type User, usersOf } from './user.ts'

export type Enrolled = { user: User; secret: string; recoveryCodes: string[]; accessToken: string }

export function secondFactorOf(service: TestApp) {
  const users = usersOf(service)
  const call =
    (token: string) =>
    (method: string, path: string, body?: object): Promise<Answer> =>
      http(method, `${service.demo.base_url}${path}`, { auth: `Bearer ${token}`, ...(body && { body }) })

  /**
   * Advances the clock until the authenticator app shows a new code, because a code can be used only once.
   * Returns the new code.
   */
  function nextCode({ secret }: Pick<Enrolled, 'secret'>): string {
    service.advance(STEP_MS)
    return appCode(secret, service.app.clock())
  }

  async function enrol(user: User, accessToken: string): Promise<Enrolled> {
    const { data } = await call(accessToken)('POST', '/v1/account/second-factor/totp')
    const code = appCode(data.secret, service.app.clock())
    const confirmed = await call(accessToken)('POST', '/v1/account/second-factor/totp/confirm', {
      code,
      current_password: user.password,
    })
    if (confirmed.status !== 200) throw new Error(confirmed.text)
    return { user, secret: data.secret, recoveryCodes: confirmed.data.recovery_codes, accessToken }
  }

  return {
    users,
    call,
    nextCode,
    enrol,
    /** Creates a user with an authenticator app. */
    async enrolledUser(): Promise<Enrolled> {
      const user = await users.makeUser()
      return enrol(user, (await users.startSession(user)).access_token)
    },
    /** Logs in with only the password, and returns the challenge for the login's second step. */
    async challengeFor(user: User): Promise<string> {
      const { error } = await users.logIn(user)
      return (error as unknown as { challenge: string }).challenge
    },
    complete: (challenge: string, code: string) => users.post('login/otp', { challenge, code }),
  }
}
