// Tests that the SBOM written by `npm run sbom` is valid and complete, and that all licenses allow redistribution.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, expect, test } from 'vitest'
import { atEnd } from '../support/at-end.ts'

const root = join(import.meta.dirname, '../../../..')

type Component = {
  name: string
  group?: string
  version: string
  purl: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}

/**
 * The SPDX identifiers of the allowed licenses. Under these licenses, we may distribute the packages with
 * Gapura under Apache-2.0 if we include their notices. None of them requires us to publish our source code.
 */
const allowed = [
  ...[
    'Apache-2.0',
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'Python-2.0',
    'Unlicense',
    '(MIT OR CC0-1.0)',
    // The package @visx/vendor redistributes the library d3 and declares this license for it.
    'MIT and ISC',
  ],
]

let text: string
let components: Component[]

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gapura-sbom-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'sbom.cdx.json')
  // Runs the `npm run sbom` command without its installation step, because the dependencies are already
  // installed.
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [command = '', ...args] = scripts.sbom.replace(/^exec node scripts\/with-deps.mjs /, '').split(' ')
  await promisify(execFile)(command, [...args, '--out', file], { cwd: root })
  text = await readFile(file, 'utf8')
  components = JSON.parse(text).components
})

test('the SBOM (list of dependencies) is valid CycloneDX', async () => {
  const { specVersion } = JSON.parse(text) as { specVersion: Spec.Version }
  expect(await new Validation.JsonStrictValidator(specVersion).validate(text)).toBeNull()
})

test('the SBOM lists every runtime package of the service, the SDK, and the CLI', async () => {
  const wanted = await Promise.all(
    ['server', 'sdk', 'cli', 'sandbox'].map(async name => {
      const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8'))
      return Object.keys(manifest.dependencies ?? {})
    }),
  )
  const named = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
  expect(wanted.flat().filter(name => !named.includes(name))).toEqual([])
  expect(wanted.flat().length).toBeGreaterThan(20)
})

test('every license in the SBOM allows redistribution', () => {
  const others = components
    .map(({ purl, licenses = [] }) => ({
      purl,
      says: licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? ''),
    }))
    .filter(({ says }) => says.length === 0 || says.some(license => !allowed.includes(license)))
  expect(others).toEqual([])
})
