import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

/** Starts a service that sets a different device cookie at each login. */
async function serviceWithCookies() {
  let logIns = 0
  return service(({ path }) => {
    if (path === '/v1/account')
      return ok({
        id: 't',
        name: 'Toko Budi',
        role: 'client',
        tier: 'growth',
        status: 'active',
        user: { email: 'budi@example.com' },
      })
    if (path !== '/v1/auth/login') return ok({ logged_out: true })
    const cookie = `gapura_device=gp_device_${++logIns}; Path=/; Max-Age=15552000; HttpOnly; SameSite=Strict`
    return {
      ...ok({ access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 }),
      headers: { 'set-cookie': cookie },
    }
  })
}

const logIn = (baseUrl: string) => ['login', '--email', 'budi@example.com', '--base-url', baseUrl]
const input = 'correct horse'

test('gapura login sends the device cookie only to the server that set it, even after a logout', async () => {
  const { baseUrl, asked } = await serviceWithCookies()
  const elsewhere = await serviceWithCookies()
  const home = newHome()
  for (const args of [logIn(baseUrl), logIn(baseUrl), ['logout'], logIn(baseUrl), logIn(elsewhere.baseUrl)])
    expect(await home.gapura(args, { input })).toMatchObject({ exitCode: 0 })
  const sent = asked.filter(({ path }) => path === '/v1/auth/login').map(({ headers }) => headers.cookie)
  expect(sent).toEqual([undefined, 'gapura_device=gp_device_1', 'gapura_device=gp_device_2'])
  expect(elsewhere.asked[0]?.headers.cookie).toBeUndefined()
  expect(asked.filter(({ path }) => path !== '/v1/auth/login').every(({ headers }) => !headers.cookie)).toBe(
    true,
  )
})

test('the CLI stores the device cookie in a file that only the logged-in user can read', async () => {
  const { baseUrl } = await serviceWithCookies()
  const home = newHome()
  await home.gapura(logIn(baseUrl), { input })
  expect(home.profiles().default.device).toBe('gapura_device=gp_device_1')
  expect(statSync(home.file).mode & 0o777).toBe(0o600)
})
