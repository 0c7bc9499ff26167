// Starts one service as an operator would, and packs and installs our packages as npm would. All tests in
// compatibility/ share this service and these packages.

import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { newDirectory } from '../docs/environment.ts'
import { type Packed, packAndInstall } from './packed.ts'

const dashboardBuild = join(import.meta.dirname, '../../packages/dashboard/build.ts')

export default async function setup(project: TestProject) {
  // A service started from the source code does not build the dashboard itself.
  execFileSync('node', [dashboardBuild], { stdio: 'inherit' })
  const place = await newPlace()
  const installedDirectories = await newDirectory('gapura-installed-')
  const [service, { remove, ...packed }] = await Promise.all([startService(place), packAndInstall()])
  project.provide('demo', service.demo)
  project.provide('packed', packed)
  project.provide('installedDirectories', installedDirectories)
  return async () => {
    await service.stop()
    await removePlace(place)
    await remove()
    await rm(installedDirectories, { recursive: true, force: true })
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Demo
    packed: Packed
    /**
     * The directory with clones of the repository that have installed packages. installed-directories.ts stores the
     * clones there.
     */
    installedDirectories: string
  }
}
