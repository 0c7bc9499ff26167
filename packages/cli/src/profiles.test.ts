import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

const session = (email: string) => ({
  email,
  access_token: 'secret-access',
  access_token_expires_at: Date.now() + 900_000,
  refresh_token: 'secret-refresh',
})

test('profiles list shows each profile without its secrets, and profiles use changes the default profile', async () => {
  const { baseUrl, asked } = await service(() => ok({ items: [], next_cursor: null }))
  const home = newHome()
  home.profiles({
    default: { base_url: baseUrl, session: session('budi@example.com') },
    shop: { base_url: baseUrl, api_key: 'gp_test_secret' },
  })
  expect((await home.gapura(['profiles', 'use', 'shop'])).exitCode).toBe(0)
  const listed = await home.gapura(['profiles', 'list', '--json'])
  expect(listed.stdout).not.toContain('secret')
  expect(JSON.parse(listed.stdout).items).toEqual([
    { name: 'default', current: false, base_url: baseUrl, email: 'budi@example.com', api_key_mode: null },
    { name: 'shop', current: true, base_url: baseUrl, email: null, api_key_mode: 'test' },
  ])
  await home.gapura(['payments', 'list'])
  await home.gapura(['payments', 'list', '--profile', 'default'])
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'ApiKey gp_test_secret',
    'Bearer secret-access',
  ])
  const unknown = await home.gapura(['profiles', 'use', 'toko'])
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    2,
    'gapura: there is no profile toko; use one of: default, shop\n',
  ])
})

test("gapura profiles remove ends the profile's session, deletes the profile and switches to the profile “default”", async () => {
  const { baseUrl, asked } = await service(() => ok({ logged_out: true }))
  const home = newHome()
  home.profiles({ default: {}, shop: { base_url: baseUrl, session: session('budi@example.com') } })
  await home.gapura(['profiles', 'use', 'shop'])
  expect((await home.gapura(['profiles', 'remove', 'shop'])).exitCode).toBe(2)
  expect((await home.gapura(['profiles', 'remove', 'shop', '--yes'])).exitCode).toBe(0)
  expect(asked).toMatchObject([{ path: '/v1/auth/logout', body: { refresh_token: 'secret-refresh' } }])
  expect(JSON.parse((await home.gapura(['profiles', 'list', '--json'])).stdout).items).toMatchObject([
    { name: 'default', current: true },
  ])
})

test.each([
  ['dashboard', 'http://127.0.0.1:8080/dashboard'],
  ['docs', 'http://127.0.0.1:8080/docs'],
  ['sandbox', 'http://127.0.0.1:8081/'],
])('gapura open %s opens the URL of this page in the browser and prints the URL', async (page, url) => {
  const home = newHome()
  home.profiles({})
  const opened = join(dirname(home.file), 'opened')
  const browser = join(dirname(home.file), 'browser')
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
  chmodSync(browser, 0o755)
  expect(await home.gapura(['open', page], { env: { BROWSER: browser } })).toEqual({
    exitCode: 0,
    stdout: `${url}\n`,
    stderr: '',
  })
  await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(url), { timeout: 60_000 })
  const without = await home.gapura(['open', page], { env: { BROWSER: '/absent' } })
  expect([without.exitCode, without.stdout]).toEqual([0, `${url}\n`])
})

test('audit list shows names instead of IDs for tenants and changed objects', async () => {
  const entry = {
    id: '1',
    at: '2026-11-20T03:04:05.678Z',
    actor_tenant_id: 'owner-id',
    actor_user_id: 'user-id',
    actor_email: 'owner@example.com',
    action: 'api_key.create',
    tenant_id: 'tenant-id',
    subject_id: 'key-id',
    before: null,
    after: { name: 'web shop' },
    request_id: null,
  }
  const { baseUrl } = await service(({ path }) => {
    if (path.startsWith('/v1/audit-log')) return ok({ items: [entry], next_cursor: null })
    return ok(path === '/v1/account' ? { id: 'owner-id', name: 'Operator' } : { name: 'Toko Budi' })
  })
  const env = { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl }
  const { stdout } = await newHome().gapura(['audit', 'list'], { env })
  expect(stdout).toMatch(/api_key\.create +web shop +owner@example\.com +Toko Budi/)
  expect(stdout).not.toMatch(/-id/)
})
