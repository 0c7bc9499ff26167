// Starts one service as an operator would and packs one SDK as npm would. All tests in compatibility/ share them.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'

const sdk = join(import.meta.dirname, '../../packages/sdk')

export default async function setup(project: TestProject) {
  const place = await newPlace()
  const packed = await mkdtemp(join(tmpdir(), 'gapura-packed-'))
  const [service, tarball] = await Promise.all([startService(place), pack(packed)])
  project.provide('demo', service.demo)
  project.provide('sdkTarball', tarball)
  return async () => {
    await service.stop()
    await removePlace(place)
    await rm(packed, { recursive: true, force: true })
  }
}

async function pack(directory: string): Promise<string> {
  await promisify(execFile)('npx', ['--yes', 'pnpm@12.21.0', 'pack', '--pack-destination', directory], {
    cwd: sdk,
  })
  const [name] = await readdir(directory)
  if (!name?.endsWith('.tgz')) throw new Error('the SDK was not packed')
  return join(directory, name)
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Demo
    /** The path of the SDK's .tgz file. */
    sdkTarball: string
  }
}
