// npm run test:mutation <room>: changes the code of a money room, one place at a time, and counts the changes that no
// test notices. docs/mutation.md has the scores and why each surviving change survives.

import { fileURLToPath } from 'node:url'
import { room } from './rooms.mjs'

const { name, mutate } = room()
const output = `test-output/mutation-${name}`

export default {
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.ts', related: true },
  // TypeScript 7 has no programming interface, which the rewriting of its configuration needs; nothing here does.
  tsconfigFile: 'mutation/none.json',
  coverageAnalysis: 'perTest',
  mutate,
  // Most strings are words for people: a test of each would repeat it.
  mutator: { excludedMutations: ['StringLiteral', 'Regex'] },
  ignorePatterns: [
    'bench',
    'compatibility',
    'deploy',
    'docs',
    'faults',
    'packages/{dashboard,sdk,cli}',
    'test-output',
  ],
  incremental: true,
  incrementalFile: `${output}-incremental.json`,
  reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${output}.json` },
  htmlReporter: { fileName: `${output}.html` },
  tempDirName: `test-output/stryker-${name}`,
  concurrency: 2,
  timeoutMS: 60_000,
}
