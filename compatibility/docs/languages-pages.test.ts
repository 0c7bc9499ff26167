// Runs the guides for Python, PHP, Go and Java against the shared service. In each guide, a generated client creates a
// payment and reads a typed error, and a receiver verifies webhooks. If a tool is missing, its test fails;
// compatibility/clients/ensure-languages.sh installs it.

import { join } from 'node:path'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { languagePages, root } from './pages.ts'
import { type MadePlace, merchantsPlace } from './places.ts'
import { runPage } from './run-page.ts'

// A code block that hangs fails before this test timeout, with an error that names the block.
const timeout = 900_000

let place: MadePlace
beforeAll(async () => {
  place = await merchantsPlace(inject('demo'))
})
afterAll(() => place?.remove())

test.each(languagePages)(
  'every code block of the documentation page %s runs without an error, and its output matches the page',
  { timeout },
  async page => {
    const { close } = await runPage(join(root, page), place)
    await close()
  },
)
