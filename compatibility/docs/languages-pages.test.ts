// Runs the guides for other languages against the shared service. In each guide, a generated client creates a payment
// and reads a typed error, and a receiver verifies webhooks. If a tool is missing, its test fails;
// compatibility/clients/ensure-languages.sh installs it.

import { join } from 'node:path'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { languagePages, root } from './pages.ts'
import { type MadePlace, merchantsPlace } from './places.ts'
import { runPage } from './run-page.ts'

// This test timeout is not reached in practice, because a code block that hangs fails earlier, with an error that names
// the block.
const timeout = 900_000

let place: MadePlace
beforeAll(async () => {
  place = await merchantsPlace(inject('demo'))
})
afterAll(() => place?.remove())

test.each(languagePages)(
  'every code block of the documentation page %s has the documented result',
  { timeout },
  async page => {
    const { close } = await runPage(join(root, page), place)
    await close()
  },
)
