// Creates dashboard users and sends their requests to /v1/auth.

import { insertUser } from '../../src/auth/users/user.sql.ts'
import { newId } from '../../src/values/id.ts'
import type { TestApp } from './app.ts'
import { makeTenant } from './make.ts'
import { type Answer, http } from './merchant.ts'
import { weakHash } from './password.ts'

export type User = { tenantId: string; id: string; email: string; password: string }
export type Session = { access_token: string; refresh_token: string }

export const outcome = ({ status, error }: Answer) => [status, error?.code, error?.message]

export const WRONG_LOGIN = [401, 'UNAUTHORIZED', 'unauthorized: email address or password is wrong']
export const INVALID_REFRESH = [
  401,
  'UNAUTHORIZED',
  'unauthorized: the refresh token is unknown, used, expired or revoked; log in again',
]

export function usersOf({ app, demo }: Pick<TestApp, 'app' | 'demo'>) {
  const post = (path: string, body: object): Promise<Answer> =>
    http('POST', `${demo.base_url}/v1/auth/${path}`, { body })
  const logIn = ({ email, password }: { email: string; password: string }) =>
    post('login', { email, password })

  /** Creates a user in a new tenant, so that a test cannot log out another test's user. */
  async function makeUser(): Promise<User> {
    const tenantId = await makeTenant(app.db)
    const id = newId()
    const user = { tenantId, id, email: `user-${id}@example.com`, password: 'correct horse battery staple' }
    const passwordHash = await weakHash(user.password)
    await app.db.transaction(tx =>
      insertUser(tx, { id, tenantId, email: user.email, passwordHash, permissions: ['admin'] }),
    )
    return user
  }

  async function startSession(user?: User): Promise<Session> {
    const { data, status, text } = await logIn(user ?? (await makeUser()))
    if (status !== 200) throw new Error(text)
    return data
  }

  return {
    post,
    logIn,
    makeUser,
    startSession,
    refresh: (refresh_token: string) => post('refresh', { refresh_token }),
    requestReset: ({ tenantId, email }: { tenantId: string; email: string }) =>
      post('password-reset/request', { tenant_id: tenantId, email }),
    confirmReset: (token: string, new_password: string) =>
      post('password-reset/confirm', { token, new_password }),
    changePassword: (accessToken: string, current_password: string, new_password: string) =>
      http('POST', `${demo.base_url}/v1/account/password`, {
        auth: `Bearer ${accessToken}`,
        body: { current_password, new_password },
      }),
    /** Calls an operation that accepts any valid access token, so that a test can check whether a token works. */
    call: (accessToken: string) =>
      http('GET', `${demo.base_url}/v1/active-methods`, { auth: `Bearer ${accessToken}` }),
  }
}
