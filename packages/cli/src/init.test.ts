import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

test('init creates an example shop, and only the user can read the file that contains the shop’s secrets', async () => {
  const { baseUrl } = await service(() => ok({ callback_url: null, secret: 'whsec_1' }))
  const home = newHome()
  const shop = join(dirname(home.file), 'shop')
  const env = {
    GAPURA_BASE_URL: baseUrl,
    GAPURA_API_KEY: 'gp_test_1',
    GAPURA_ACCESS_TOKEN: 'token',
    GAPURA_SANDBOX_URL: 'http://127.0.0.1:9',
  }
  const { exitCode, stdout, stderr } = await home.gapura(['init', 'fastify', shop], { env })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain('gapura webhooks listen --forward-to')
  expect(readFileSync(join(shop, '.env'), 'utf8')).toBe(
    `GAPURA_BASE_URL=${baseUrl}\nGAPURA_API_KEY=gp_test_1\nGAPURA_WEBHOOK_SECRET=whsec_1\nGAPURA_MODE=test\nGAPURA_SANDBOX_URL=http://127.0.0.1:9\n`,
  )
  expect(statSync(join(shop, '.env')).mode & 0o077).toBe(0)
  const again = await home.gapura(['init', 'express', shop], { env })
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
})

test('gapura init writes no live API key; it prints the names of the values to add', async () => {
  const home = newHome()
  const shop = join(dirname(home.file), 'shop')
  mkdirSync(shop, { recursive: true })
  const env = { GAPURA_BASE_URL: 'https://pay.example.com', GAPURA_API_KEY: 'gp_live_1' }
  const { exitCode, stderr } = await home.gapura(['init', 'next', shop], { env })
  expect(exitCode).toBe(0)
  expect(readFileSync(join(shop, '.env'), 'utf8')).not.toContain('gp_live_1')
  expect(stderr).toContain('Set in .env: GAPURA_API_KEY, GAPURA_WEBHOOK_SECRET, GAPURA_SANDBOX_URL')
})

test('init writes a profile’s API key only into the configuration for the profile’s own service', async () => {
  const home = newHome()
  const shop = join(dirname(home.file), 'shop')
  mkdirSync(shop, { recursive: true })
  home.profiles({ default: { base_url: 'https://one.example.com', api_key: 'gp_test_one' } })
  await home.gapura(['init', 'next', shop], { env: { GAPURA_BASE_URL: 'https://two.example.com' } })
  expect(readFileSync(join(shop, '.env'), 'utf8')).toContain('GAPURA_API_KEY=\n')
})
