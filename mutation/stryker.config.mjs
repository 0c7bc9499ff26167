// npm run test:mutation: changes the code of the money rooms, one place at a time, and counts the changes that no test
// notices. docs/mutation.md has the score and why each surviving change survives.

import { fileURLToPath } from 'node:url'

const src = 'packages/server/src'

/** Money is moved, or its messages are read, in these files. Statements and routers are tested through journeys. */
const moneyRooms = [
  `${src}/{payments,callbacks,ledger,inbox}/*.ts`,
  `${src}/webhooks/{event,hold,lanes,sign,deliver-webhooks,redeliver-event}.ts`,
  `${src}/providers/*/{translate,messages,notification,webhook,signature,inquire}.ts`,
  `!${src}/**/*.{test,sql,router}.ts`,
  `!${src}/**/*-{view,input,metrics}.ts`,
]

export default {
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.ts', related: true },
  // TypeScript 7 has no programming interface, which the rewriting of its configuration needs; nothing here does.
  tsconfigFile: 'mutation/none.json',
  coverageAnalysis: 'perTest',
  mutate: moneyRooms,
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
  incrementalFile: 'test-output/mutation-incremental.json',
  reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/mutation.json' },
  htmlReporter: { fileName: 'test-output/mutation.html' },
  tempDirName: 'test-output/stryker',
  concurrency: 2,
  timeoutMS: 60_000,
}
