// Tests the dialog that shows a new API key.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { confirmStored, createKey } from './api-keys.page.ts'
import { openDashboard } from './dashboard.ts'

const demo = inject('demo')
const run = promisify(execFile)

const openKeys = async () => {
  const dashboard = await openDashboard(demo.client, { permissions: ['clipboard-read', 'clipboard-write'] })
  await dashboard.go('/api-keys?mode=test')
  return dashboard.page
}

test('the command that tries a new key works with the scopes of the key', async () => {
  const page = await openKeys()
  for (const scopes of [[], ['reports'], ['payments:write'], ['refunds']]) {
    const name = `scopes ${scopes}`
    await createKey(page, name, { scopes })
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the command' }).click()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const { stdout } = await run('sh', ['-c', `${command} --silent --show-error`])
    expect(JSON.parse(stdout), name).toMatchObject({ success: true })
    await confirmStored(page, name)
  }
})

test('no command is shown for a new key whose scopes allow no request that only reads', async () => {
  const page = await openKeys()
  await createKey(page, 'payouts', { scopes: ['payouts'] })
  expect(await page.getByRole('dialog').getByText(/curl/).count()).toBe(0)
})

test('if a new key has allowed addresses, the dialog says that the command works only from these addresses', async () => {
  const page = await openKeys()
  await createKey(page, 'from one address', { allowedIp: '192.0.2.1' })
  await page.getByText('This key works only from its allowed IP addresses').waitFor()
})
