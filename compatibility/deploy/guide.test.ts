// Runs the commands in docs/guides/deploy.md in an operator's environment, with kubectl but without a
// Kubernetes cluster. The guide also creates an installation without containers. The test then onboards a
// merchant in this installation.

import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../docs/pages.ts'
import { operatorsPlace } from '../docs/places.ts'
import { runPage } from '../docs/run-page.ts'
import { openKubectl } from './manifests.ts'

test('every code block in docs/guides/deploy.md has the documented result', {
  timeout: 900_000,
}, async () => {
  const [place, kubectl] = await Promise.all([operatorsPlace(), openKubectl()])
  onTestFinished(place.remove)
  onTestFinished(kubectl.remove)
  expect(place.env?.PATH).toBeDefined()
  const env = { ...place.env, PATH: [kubectl.directory, place.env?.PATH].join(delimiter) }
  const reader = { ...place, env }
  const deployed = await runPage(join(root, 'docs/guides/deploy.md'), reader)
  onTestFinished(() => deployed.close())
  const onboarding = join(root, 'docs/guides/onboarding.md')
  const { close } = await runPage(onboarding, reader, { skipTab: 'Demonstration' })
  await close()
})
