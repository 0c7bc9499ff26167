import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// The tests beside the code of the money rooms; one database server for the whole run, as in npm test.
const root = join(import.meta.dirname, '../packages/server')

export default defineConfig({
  test: {
    globalSetup: join(root, 'test/support/global-setup.ts'),
    projects: [
      {
        root,
        test: {
          name: 'server',
          include: ['src/{payments,callbacks,ledger,webhooks,inbox,providers}/**/*.test.ts'],
          exclude: ['src/**/*.isolated.test.ts'],
          setupFiles: 'test/support/end-of-file.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
