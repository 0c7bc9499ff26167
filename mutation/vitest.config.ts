import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { instrument } from './instrument.mjs'
import { room } from './rooms.mjs'

const root = join(import.meta.dirname, '../packages/server')
const output = join(import.meta.dirname, '../test-output')
const { name, mutate, tests } = room()
const { code, mutants } = await instrument(mutate)

const results = join(output, `mutation-${name}.jsonl`)
mkdirSync(output, { recursive: true })
rmSync(results, { force: true })
writeFileSync(join(output, `mutation-${name}.json`), JSON.stringify(mutants))

const changes = {
  name: 'changes',
  enforce: 'pre' as const,
  load: (id: string) => code.get(id.split('?')[0] as string),
}

export default defineConfig({
  test: {
    // One database server for the whole run, as in npm test.
    globalSetup: join(root, 'test/support/global-setup.ts'),
    maxWorkers: 2,
    projects: [
      {
        root,
        plugins: [changes],
        test: {
          name: 'server',
          // The cache key is the file on disk, without the changes, so a later run would get the ids of an earlier one.
          fsModuleCache: false,
          include: tests.map(path => path.replace('packages/server/', '')),
          setupFiles: 'test/support/end-of-file.ts',
          runner: join(import.meta.dirname, 'runner.ts'),
          env: { MUTATION_RESULTS: results },
          // A test runs once for each change that it reaches.
          testTimeout: 900_000,
          hookTimeout: 120_000,
          dangerouslyIgnoreUnhandledErrors: true,
        },
      },
    ],
  },
})
