// The operating pages, each in a checkout and with a PostgreSQL of its own (README.md).

import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { guides, operatorPages } from './pages.ts'
import { operatorsPlace } from './places.ts'
import { runPage } from './run-page.ts'

// A block that never ends is given up before, and named.
const timeout = 900_000

test.each(operatorPages)('every block of %s does what the page says', { timeout }, async name => {
  const place = await operatorsPlace()
  onTestFinished(place.remove)
  const { close } = await runPage(join(guides, `${name}.md`), place)
  await close()
})
