import { expect, test } from 'vitest'
import type { Demo } from '../demo/demo.ts'
import { startupMessage } from './startup-message.ts'

const login = (name: string) => ({
  tenant_id: name,
  email: `${name}@example.com`,
  password: `password-of-${name}-24`,
})
const merchant = (name: string) => ({
  ...login(name),
  live_key: `gp_live_${'0'.repeat(38)}`,
  test_key: `gp_test_${'1'.repeat(38)}`,
  webhook_secret: `whsec_${'2'.repeat(32)}`,
})
const demo: Demo = {
  base_url: 'http://127.0.0.1:8080',
  owner: login('owner'),
  partner: login('partner'),
  client: merchant('client'),
  client2: merchant('client2'),
  sandbox_url: 'http://127.0.0.1:8081',
  provider_accounts: [],
}
const message = (isTerminal: boolean) =>
  startupMessage(demo, { baseUrl: demo.base_url, file: '/srv/gapura/.gapura/demo.json', isTerminal })

test('in a terminal, the startup message with its logins, test API key and addresses fits on one screen', () => {
  const lines = message(true).trim().split('\n')
  expect(lines.length).toBeLessThanOrEqual(30)
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80)
  for (const { email, password } of [demo.client, demo.owner])
    expect(lines.filter(line => line.includes(email) && line.includes(password))).toHaveLength(1)
  for (const shown of ['/dashboard', '/docs', demo.sandbox_url, demo.client.test_key])
    expect(message(true)).toContain(shown)
})

test('the startup message contains no passwords unless it is printed to a terminal', () => {
  expect(message(false)).toContain('demo.json')
  expect(message(false)).not.toContain('password-of')
})

test('the startup message contains neither a live API key nor a webhook secret', () => {
  expect(message(true)).not.toMatch(/gp_live_|whsec_/)
})
