import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { instrument } from './instrument.mjs'
import { room } from './rooms.mjs'

const root = join(import.meta.dirname, '../packages/server')
const output = join(import.meta.dirname, '../test-output')
const { name, mutate, tests } = room()
const { code, mutants } = await instrument(mutate)

const results = join(output, `mutation-${name}.jsonl`)
mkdirSync(output, { recursive: true })
const report = join(output, `mutation-${name}.json`)
const text = JSON.stringify(mutants)
// If MUTATION_AGAIN is set and the code is unchanged, only the mutants that survived the last run are tested. Use
// it while writing the missing tests.
const isAgain = process.env.MUTATION_AGAIN && existsSync(report) && readFileSync(report, 'utf8') === text
const before = isAgain && existsSync(results) ? readFileSync(results, 'utf8').split('\n') : []
writeFileSync(
  results,
  before
    .filter(line => line && !line.includes('"survived"'))
    .map(line => `${line}\n`)
    .join(''),
)
writeFileSync(report, text)

const sharedDatabase = join(import.meta.dirname, 'database.ts')
const changes = {
  name: 'changes',
  enforce: 'pre' as const,
  async resolveId(
    this: { resolve: (...args: unknown[]) => Promise<{ id: string } | null> },
    source: string,
    importer: string | undefined,
  ) {
    if (!source.endsWith('/database.ts') || importer === sharedDatabase) return undefined
    const found = await this.resolve(source, importer, { skipSelf: true })
    return found?.id === join(root, 'test/support/database.ts') ? sharedDatabase : undefined
  },
  load: (id: string) => code.get(id.split('?')[0] as string),
}

/**
 * Runs the test files in the order listed in rooms.mjs. If an early file kills a mutant, later files do not test
 * it.
 */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => tests.findIndex(path => moduleId.endsWith(path))
    return files.sort((one, other) => placeOf(one) - placeOf(other))
  }
}

/**
 * The settings for processes.mjs, which runs all of the module's tests for each mutant, with ordinary time limits.
 */
const inProcesses = {
  setupFiles: ['test/support/end-of-file.ts', join(import.meta.dirname, 'one-change.ts')],
  bail: 1,
  testTimeout: 15_000,
  hookTimeout: 15_000,
  teardownTimeout: 1_000,
  expect: { poll: { timeout: 10_000 } },
}

const inOneProcess = {
  setupFiles: 'test/support/end-of-file.ts',
  runner: join(import.meta.dirname, 'runner.ts'),
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  dangerouslyIgnoreUnhandledErrors: true,
}

export default defineConfig({
  test: {
    // All test files use the same database server, as in `npm test`.
    globalSetup: join(root, 'test/support/global-setup.ts'),
    maxWorkers: 1,
    sequence: { sequencer: AsNamed },
    projects: [
      {
        root,
        plugins: [changes],
        test: {
          name: 'server',
          // Vitest's cache of transformed modules is off. It identifies code by the file on disk, which contains no
          // mutants.
          fsModuleCache: false,
          include: tests.map(path => path.replace('packages/server/', '')),
          env: { MUTATION_RESULTS: results, GAPURA_ALL_RANDOM_RUNS: '1' },
          ...(process.env.MUTATION_PROCESSES ? inProcesses : inOneProcess),
        },
      },
    ],
  },
})
