import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { room } from './rooms.mjs'

// One database server for the whole run, as in npm test.
const root = join(import.meta.dirname, '../packages/server')
const tests = room().tests.map(path => path.replace('packages/server/', ''))

export default defineConfig({
  test: {
    globalSetup: join(root, 'test/support/global-setup.ts'),
    projects: [
      {
        root,
        test: {
          name: 'server',
          include: tests,
          setupFiles: 'test/support/end-of-file.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
