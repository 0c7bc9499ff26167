// Runs the commands of docs/guides/deploy.md with kubectl in an operator's environment. No cluster is needed.

import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { operatorsPlace } from '../docs/places.ts'
import { runPage } from '../docs/run-page.ts'
import { openKubectl } from './manifests.ts'

test('every block of docs/guides/deploy.md has the documented result', { timeout: 900_000 }, async () => {
  const [place, kubectl] = await Promise.all([operatorsPlace(), openKubectl()])
  onTestFinished(place.remove)
  onTestFinished(kubectl.remove)
  expect(place.env?.PATH).toBeDefined()
  const env = { ...place.env, PATH: [kubectl.directory, place.env?.PATH].join(delimiter) }
  const { close } = await runPage(join(root, 'docs/guides/deploy.md'), { ...place, env })
  await close()
})
