// Starts one service as an operator would, and packs and installs our packages as npm would. All tests in
// compatibility/ share them.

import type { TestProject } from 'vitest/node'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { newPlace, removePlace, startService } from '../../packages/server/test/support/service.ts'
import { type Packed, packAndInstall } from './packed.ts'

export default async function setup(project: TestProject) {
  const place = await newPlace()
  const [service, { remove, ...packed }] = await Promise.all([startService(place), packAndInstall()])
  project.provide('demo', service.demo)
  project.provide('packed', packed)
  return async () => {
    await service.stop()
    await removePlace(place)
    await remove()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Demo
    packed: Packed
  }
}
