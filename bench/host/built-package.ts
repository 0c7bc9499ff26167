// Builds the package that the container image runs. The benchmarks `start` and `memory` run this package instead of
// the source files, because loading the source files takes a different amount of time and memory.

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
