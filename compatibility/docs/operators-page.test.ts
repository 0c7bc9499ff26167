// Runs the code on one documentation page for operators, with its own clone of the repository and its own PostgreSQL
// server (README.md). vitest.config.ts creates one Vitest project per page, so the pages run in parallel. Each project
// runs this file.

import { join } from 'node:path'
import { inject, onTestFinished, test } from 'vitest'
import { root, sqlTests } from './pages.ts'
import { operatorsPlace } from './places.ts'
import { runPage } from './run-page.ts'

// This test timeout is not reached in practice, because a code block that hangs fails earlier, with an error that names
// the block.
const timeout = 900_000

const page = inject('operatorsPage')

test(`every code block on ${page} runs without an error and prints the output that the page shows`, {
  timeout,
}, async () => {
  const place = await operatorsPlace()
  onTestFinished(place.remove)
  const { close } = await runPage(join(root, page), place, { skipSql: page in sqlTests })
  await close()
})

declare module 'vitest' {
  interface ProvidedContext {
    operatorsPage: string
  }
}
