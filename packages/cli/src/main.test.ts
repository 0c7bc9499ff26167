import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

const tenants = Array.from({ length: 2_000 }, (_, n) => ({
  id: `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  name: `Toko ${n}`,
  role: 'client',
  tier: 'starter',
  parent_id: null,
  status: 'active',
  created_at: '2026-11-20T03:04:05.678Z',
  updated_at: '2026-11-20T03:04:05.678Z',
}))

test('the gapura process passes its arguments, environment and stdin to the command, and returns its exit code', async () => {
  const { baseUrl, asked } = await service(({ path }) =>
    path === '/v1/account'
      ? ok({ id: 't', name: 'Toko Budi', role: 'client', user: { email: 'budi@example.com' } })
      : ok({ access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 }),
  )
  const home = newHome()
  const login = ['login', '--email', 'budi@example.com', '--json']
  const done = await home.process(login, { env: { GAPURA_BASE_URL: baseUrl }, input: 'correct horse\n' })
  expect(done).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(done.stdout)).toMatchObject({ base_url: baseUrl, account: { name: 'Toko Budi' } })
  expect(asked[0]?.body).toEqual({ email: 'budi@example.com', password: 'correct horse' })

  const wrong = ['payments', 'create', '--amount', '-100']
  const refused = await home.process(wrong)
  expect(refused).toEqual(await home.gapura(wrong))
  expect(refused.exitCode).toBe(2)
})

test('a gapura command exits without an error if the program that reads its output closes the pipe early', async () => {
  const { baseUrl } = await service(() => ok({ items: tenants, next_cursor: null }))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const child = newHome().start(['tenants', 'list', '--json'], env)
  const exited = once(child, 'exit')
  child.stdout.destroy()
  expect(await text(child.stderr)).toBe('')
  expect(await exited).toEqual([0, null])
})
