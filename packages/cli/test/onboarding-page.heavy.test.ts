// Runs the script of docs/guides/onboarding.md.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from './real-service.ts'

const root = join(import.meta.dirname, '../../..')

test('the onboarding page leads a new merchant to a paid payment with a verified webhook', async () => {
  const page = readFileSync(join(root, 'docs/guides/onboarding.md'), 'utf8')
  const text = page.match(/^```sh\n(.*?)^```$/ms)?.[1]
  expect(text).toContain('tenants create')

  const { stop, dataDir } = await startService()
  // This directory looks like a checkout whose service stores its data in the default location.
  const place = mkdtempSync(join(tmpdir(), 'gapura-onboarding-'))
  symlinkSync(join(root, 'gapura'), join(place, 'gapura'))
  symlinkSync(dataDir, join(place, '.gapura'))
  onTestFinished(async () => {
    rmSync(place, { recursive: true, force: true })
    await stop()
  })

  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', text as string], {
    cwd: place,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      XDG_CONFIG_HOME: join(place, 'config'),
      TZ: 'Asia/Jakarta',
    },
  })
  expect(stdout).toMatch(/payment\.paid {2}GP\d{6}-[0-9A-Z]{10} {2}verified$/m)
  expect(stdout).toMatch(/Rp\s150\.000 is paid/)
  expect(stdout.split('\n').at(-2)).toMatch(/150\.000|15000000/)
})
