// Calls each operation about a user's own account, for operations.heavy.test.ts.

import type { Call } from '../support/management-api.ts'
import type { Answer } from '../support/merchant.ts'
import type { usersOf } from '../support/user.ts'

type Callers = { as: (auth: string) => Call; client: Call; users: ReturnType<typeof usersOf> }

/**
 * Returns for each operation ID a function that calls the operation. These functions get the
 * callers from `to`. Only these functions may call `to`, because the map itself is created before
 * the callers log in.
 */
export const accountCalls = (to: () => Callers): Record<string, () => Promise<Answer>> => ({
  getNotifications: () => to().client('GET', '/v1/account/notifications'),
  updateNotifications: () => to().client('PATCH', '/v1/account/notifications', { key_expiring: true }),
  getBranding: () => to().client('GET', '/v1/branding'),
  setBranding: () =>
    to().client('PUT', '/v1/branding', { display_name: 'Toko Budi', color: '#0f766e', logo: null }),
  listSessions: () => to().client('GET', '/v1/account/sessions'),
  async endSession() {
    const { as, users } = to()
    const user = await users.makeUser()
    const [one, other] = [await users.startSession(user), await users.startSession(user)]
    const { data } = await as(`Bearer ${other.access_token}`)('GET', '/v1/account/sessions')
    return as(`Bearer ${one.access_token}`)('DELETE', `/v1/account/sessions/${data.items[0].id}`)
  },
  async endOtherSessions() {
    const { as, users } = to()
    return as(`Bearer ${(await users.startSession()).access_token}`)('DELETE', '/v1/account/sessions')
  },
})
