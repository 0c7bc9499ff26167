// Builds the package that the container image runs. How much time and memory a process needs to load its code depends
// on the form of this code. The benchmarks `start` and `memory` therefore run the built package.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Program } from './service.ts'

const server = join(import.meta.dirname, '../../packages/server')

export function buildPackage(): Program {
  execFileSync('node', [join(server, 'build-package.ts')], { stdio: 'inherit' })
  // The container image has no compile cache.
  return {
    args: [join(server, 'dist/bin/gapura-server.js'), 'start'],
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  }
}
