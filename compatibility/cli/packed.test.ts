// Tests the CLI as npm would publish it: packs the package, installs it with npm in a new project, and runs it
// there.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { copyProject } from '../support/installed-project.ts'

let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'gapura-cli-'))
  await copyProject('cli', project, 'module')
  return () => rm(project, { recursive: true, force: true })
})

async function gapura(...args: string[]): Promise<string> {
  const { base_url, client } = inject('demo')
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    GAPURA_BASE_URL: base_url,
    GAPURA_API_KEY: client.test_key,
  }
  const { stdout } = await promisify(execFile)(join(project, 'node_modules/.bin/gapura'), args, { env })
  return stdout.trim()
}

test('the CLI installed from its npm package prints its version', async () => {
  const { version } = JSON.parse(
    await readFile(join(project, 'node_modules/@gapura/cli/package.json'), 'utf8'),
  )
  expect(await gapura('--version')).toBe(version)
})

test('the CLI installed from its npm package creates a payment', async () => {
  const order = ['--rupiah', '150000', '--method', 'qris', '--idempotency-key', `packed-${Date.now()}`]
  const payment = JSON.parse(await gapura('payments', 'create', ...order, '--json'))
  expect(payment).toMatchObject({ status: 'pending', amount: 15_000_000 })
})
