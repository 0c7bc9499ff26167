import { chmodSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { type Home, newHome } from '../test/gapura.ts'
import { type Asked, failure, ok, service } from '../test/service.ts'

const none = { items: [], next_cursor: null }
const expired = (email = 'owner@example.com') => ({
  email,
  access_token: 'access-1',
  access_token_expires_at: 0,
  refresh_token: 'refresh-1',
})

/** Starts a service that ends the session if the same refresh token is used twice. */
async function strictService({ expiresIn = 900 } = {}) {
  const spent = new Set<string>()
  let ended = false
  let number = 1
  return service(({ path, body }: Asked) => {
    if (path !== '/v1/auth/refresh') return ok(none)
    ended ||= spent.has(body.refresh_token)
    if (ended) return failure(401, 'UNAUTHORIZED', 'unauthorized: the session has ended')
    spent.add(body.refresh_token)
    number++
    return ok({
      access_token: `access-${number}`,
      refresh_token: `refresh-${number}`,
      token_type: 'Bearer',
      expires_in: expiresIn,
    })
  })
}

test('an expired access token is refreshed, and the command stores and uses the new token', async () => {
  const { baseUrl, asked } = await strictService()
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  expect(await home.gapura(['tenants', 'list'])).toMatchObject({ exitCode: 0 })
  expect(await home.gapura(['tenants', 'list'])).toMatchObject({ exitCode: 0 })
  expect(asked.map(each => each.path.replace(/\?.*/, ''))).toEqual([
    '/v1/auth/refresh',
    '/v1/tenants',
    '/v1/tenants',
  ])
  expect(asked.at(-1)?.headers.authorization).toBe('Bearer access-2')
  expect(home.profiles().default.session).toMatchObject({
    access_token: 'access-2',
    refresh_token: 'refresh-2',
  })
})

test("commands that run at the same time share one token refresh, and do not end each other's session", async () => {
  const { baseUrl, asked } = await strictService()
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  const ended = await Promise.all(Array.from({ length: 5 }, () => home.process(['tenants', 'list'])))
  expect(ended.map(each => each.exitCode)).toEqual([0, 0, 0, 0, 0])
  expect(asked.filter(each => each.path === '/v1/auth/refresh')).toHaveLength(1)
})

test('commands that run at the same time refresh a short-lived access token one after another', async () => {
  const { baseUrl, asked } = await strictService({ expiresIn: 1 })
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  const ended = await Promise.all(Array.from({ length: 4 }, () => home.gapura(['tenants', 'list'])))
  expect(ended.map(each => each.exitCode)).toEqual([0, 0, 0, 0])
  const sent = asked.filter(each => each.path === '/v1/auth/refresh').map(each => each.body.refresh_token)
  expect(sent).toEqual(['refresh-1', 'refresh-2', 'refresh-3', 'refresh-4'])
})

test('if tokens of several profiles are refreshed at the same time, all new tokens are stored', async () => {
  const { baseUrl } = await strictService()
  const home = newHome()
  const names = ['one', 'two', 'three']
  home.profiles(
    Object.fromEntries(
      names.map(name => [
        name,
        { base_url: baseUrl, session: { ...expired(), refresh_token: `refresh-${name}` } },
      ]),
    ),
  )
  await Promise.all(names.map(name => home.process(['tenants', 'list', '--profile', name])))
  const tokens = names.map(name => home.profiles()[name].session.access_token)
  expect(tokens.toSorted()).toEqual(['access-2', 'access-3', 'access-4'])
})

test('if the service has ended the session, the command deletes it from the profile and exits with 4', async () => {
  const { baseUrl } = await service(() => failure(401, 'UNAUTHORIZED', 'unauthorized: unknown'))
  const home = newHome()
  home.profiles({ shop: { base_url: baseUrl, api_key: 'gp_test_kept', session: expired() } })
  const { exitCode, stderr } = await home.gapura(['tenants', 'list', '--profile', 'shop'])
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr: 'gapura: your session has expired; run gapura login --profile shop\n',
  })
  expect(home.profiles().shop).toEqual({ base_url: baseUrl, api_key: 'gp_test_kept' })
})

test('if the service is temporarily unavailable for a session refresh, the CLI keeps the session', async () => {
  const { baseUrl } = await service(() =>
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable: starting'),
  )
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  expect((await home.gapura(['tenants', 'list'])).exitCode).toBe(1)
  expect(home.profiles().default.session.refresh_token).toBe('refresh-1')
})

test('a command ignores a lock file that a dead process left or that is too old', async () => {
  const { baseUrl } = await strictService({ expiresIn: 1 })
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  const lock = `${home.file}.lock`
  // The process ID 4194305 is above Linux's maximum, so no process has this ID.
  writeFileSync(lock, `${hostname()} 4194305 of-one-that-ended`)
  expect((await home.gapura(['tenants', 'list'])).exitCode).toBe(0)
  // The lock belongs to a process on another host, so the CLI cannot check whether this process is running.
  // It ignores the lock because the lock is old.
  writeFileSync(lock, `elsewhere ${process.pid} of-one-long-ago`)
  utimesSync(lock, 0, 0)
  expect((await home.gapura(['tenants', 'list'])).exitCode).toBe(0)
  expect(readdirSync(dirname(home.file))).toEqual(['config.json'])
})

test('the CLI makes the profile file readable only by its owner, even if the file already exists', async () => {
  const { baseUrl } = await strictService()
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, session: expired() } })
  chmodSync(home.file, 0o644)
  const { stdout } = await home.gapura(['doctor', '--json'])
  expect(JSON.parse(stdout).checks[0]).toMatchObject({ name: 'profile', result: 'warning' })
  await home.gapura(['tenants', 'list'])
  expect(statSync(home.file).mode & 0o777).toBe(0o600)
})

test('environment variables override the profile, and a profile’s secrets are sent only to that profile’s own server', async () => {
  const own = await service(() => ok(none))
  const other = await service(() => ok(none))
  const home = newHome()
  const session = { ...expired(), access_token_expires_at: Date.now() + 900_000 }
  home.profiles({ default: { base_url: own.baseUrl, session, api_key: 'gp_test_kept' } })
  const list = (home: Home, env: Record<string, string>) => home.gapura(['payments', 'list'], { env })

  const elsewhere = await list(home, { GAPURA_BASE_URL: other.baseUrl })
  expect(elsewhere.exitCode).toBe(4)
  expect(elsewhere.stderr).toContain(own.baseUrl)
  expect(other.asked).toHaveLength(0)

  await list(home, { GAPURA_BASE_URL: other.baseUrl, GAPURA_ACCESS_TOKEN: 'mine' })
  await list(home, { GAPURA_BASE_URL: other.baseUrl, GAPURA_API_KEY: 'gp_test_mine' })
  expect(other.asked.map(each => each.headers.authorization)).toEqual(['Bearer mine', 'ApiKey gp_test_mine'])
  await list(home, {})
  expect(own.asked.map(each => each.headers.authorization)).toEqual(['Bearer access-1'])
})

test('if another login replaces the profile during a command, the command does not send the new tokens', async () => {
  const home = newHome()
  const other = await service(() => ok(none))
  const session = { ...expired(), access_token_expires_at: Date.now() + 900_000 }
  const replaced = { base_url: other.baseUrl, session: { ...session, access_token: 'access-2' } }
  let pages = 0
  const own = await service(() => {
    pages += 1
    home.profiles({ default: replaced })
    return ok({ items: [], next_cursor: 'next' })
  })
  home.profiles({ default: { base_url: own.baseUrl, session } })
  const { exitCode, stderr } = await home.gapura(['payments', 'list', '--all'])
  expect({ exitCode, pages }).toEqual({ exitCode: 4, pages: 1 })
  expect(stderr).toContain('another command has logged in with profile default')
  expect(own.asked.map(each => each.headers.authorization)).toEqual(['Bearer access-1'])
  expect(other.asked).toEqual([])
})

test('--profile selects the profile; without this option, the environment variable GAPURA_PROFILE selects it', async () => {
  const { baseUrl, asked } = await service(() => ok(none))
  const home = newHome()
  const profile = (key: string) => ({ base_url: baseUrl, api_key: key })
  home.profiles({ default: profile('gp_test_1'), shop: profile('gp_test_2'), live: profile('gp_live_3') })
  const list = ['payments', 'list']
  await home.gapura(list)
  await home.gapura(list, { env: { GAPURA_PROFILE: 'shop' } })
  await home.gapura([...list, '--profile', 'live'], { env: { GAPURA_PROFILE: 'shop' } })
  await home.gapura(['--profile', 'live', ...list])
  expect(asked.map(each => each.headers.authorization)).toEqual([
    'ApiKey gp_test_1',
    'ApiKey gp_test_2',
    'ApiKey gp_live_3',
    'ApiKey gp_live_3',
  ])
})

test('if the profile file is invalid, the error names the file but does not print its content', async () => {
  const home = newHome()
  home.profiles({})
  writeFileSync(home.file, '{"profiles": {"default": {"api_key": "gp_test_secret"')
  const { exitCode, stderr } = await home.gapura(['payments', 'list'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain(home.file)
  expect(stderr).not.toContain('secret')
})

test('logout deletes the local session, and exits with an error if the service was unreachable', async () => {
  const { baseUrl, asked } = await service(() => ok({ logged_out: true }))
  const home = newHome()
  home.profiles({ default: { base_url: baseUrl, api_key: 'gp_test_kept', session: expired() } })
  expect((await home.gapura(['logout'])).exitCode).toBe(0)
  expect(asked.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/auth/logout', { refresh_token: 'refresh-1' }],
  ])
  expect(home.profiles()).toEqual({ default: { base_url: baseUrl } })

  home.profiles({ default: { base_url: 'http://127.0.0.1:1', session: expired() } })
  const untold = await home.gapura(['logout'])
  expect(untold.exitCode).toBe(1)
  expect(untold.stderr).toContain('deleted from this computer')
  expect(home.profiles()).toEqual({ default: { base_url: 'http://127.0.0.1:1' } })
})

test('if login cannot write the profile file, it ends the new session on the service', async () => {
  const { baseUrl, asked } = await service(({ path }) =>
    path === '/v1/account'
      ? ok({ id: 't', name: 'Toko Budi', role: 'client', user: { email: 'budi@example.com' } })
      : ok({ access_token: 'a', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 900 }),
  )
  const home = newHome()
  home.profiles({})
  const { exitCode, stderr } = await home.gapura(
    ['login', '--email', 'budi@example.com', '--base-url', baseUrl],
    { env: { XDG_CONFIG_HOME: home.file }, input: 'correct horse' },
  )
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/cannot be written: ENOTDIR; .*XDG_CONFIG_HOME/)
  expect(asked.at(-1)).toMatchObject({ path: '/v1/auth/logout', body: { refresh_token: 'refresh-1' } })
})

test('if the service delays logins after wrong passwords, gapura login prints how long the user must wait', async () => {
  const message = 'rate limited: too many failed logins; try again in 15 minutes'
  const { baseUrl, asked } = await service(() => ({
    ...failure(429, 'RATE_LIMITED', message),
    headers: { 'retry-after': '900' },
  }))
  const { exitCode, stderr } = await newHome().gapura(
    ['login', '--email', 'budi@example.com', '--base-url', baseUrl],
    { input: 'correct horse' },
  )
  expect(exitCode).toBe(1)
  expect(stderr).toContain('too many failed logins; try again in 15 minutes')
  expect(stderr).toContain('wait 15 minutes, then try again')
  expect(asked).toHaveLength(1)
})
