// A newcomer follows the quick start and then the guides, in the place where it left him. Nothing of a page is
// changed but its ports (README.md).

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guides, merchantPages, operatorPages, otherPages } from './pages.ts'
import { type MadePlace, newcomersPlace } from './places.ts'
import { type PageRun, runPage, withPorts } from './run-page.ts'

const [quickStart, ...later] = merchantPages
const pageOf = (name: string) => join(guides, `${name}.md`)

// A block that never ends is given up before, and named.
const timeout = 900_000

let place: MadePlace
/** Its service serves all pages. */
let first: PageRun | undefined

beforeAll(async () => {
  place = await newcomersPlace()
})
afterAll(async () => {
  await first?.close()
  await place?.remove()
})

test('who follows only the quick start reaches a paid payment and a verified webhook', {
  timeout,
}, async () => {
  first = await runPage(pageOf(quickStart), place)
})

test.each(later)('every block of %s does what the page says', { timeout }, async name => {
  if (!first) throw new Error('the quick start failed')
  // That page brings a receiver of its own; in between, this one takes what the others' payments tell.
  if (name === 'webhooks') await first.close('receiver')
  const shop = { ...place, directory: join(place.directory, 'shop') }
  const { close } = await runPage(pageOf(name), shop)
  await close()
})

test("the README's examples create a payment, in TypeScript and by the command", async () => {
  const readme = withPorts(await readFile(join(guides, '../../README.md'), 'utf8'), place)
  const [, program] = readme.match(/^```ts\n(.*?)^```$/ms) ?? []
  const [, command] = readme.match(/^```sh\n(node packages\/cli.*?)^```$/ms) ?? []
  const shop = join(place.directory, 'shop')
  await writeFile(join(shop, 'readme.ts'), `${program}\nconsole.log(payment.status)\n`)
  const checkout = join(place.directory, 'gapura')
  const node = join(checkout, 'node_modules/.bin')
  const commands = `
    cd ${shop}; npx tsx --env-file=.env readme.ts
    set -a; . ./.env; GAPURA_BASE_URL=$GAPURA_URL; PATH=${node}:$PATH
    cd ${checkout}; ${command}`
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { env: place.env })
  expect(stdout).toMatch(/^pending\nRp\s100\.000 is pending/)
})

test('what the pages write in TypeScript compiles strictly', async () => {
  const shop = join(place.directory, 'shop')
  const modules = join(import.meta.dirname, '../node_modules')
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(modules, '@types')],
  }
  await writeFile(join(shop, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = await promisify(execFile)(join(modules, '.bin/tsc'), ['-p', shop, '--listFilesOnly'])
  expect(
    stdout.split('\n').filter(file => file.startsWith(`${shop}/`) && !file.includes('node_modules')),
  ).not.toEqual([])
  await promisify(execFile)(join(modules, '.bin/tsc'), ['-p', shop]).catch(({ stdout }) =>
    expect.fail(stdout),
  )
})

test('no page of the guides goes unrun', async () => {
  const listed: string[] = [...merchantPages, ...operatorPages, ...Object.keys(otherPages)]
  const pages = (await readdir(guides)).filter(name => name.endsWith('.md') && name !== 'README.md')
  expect(pages.map(name => name.replace(/\.md$/, '')).filter(name => !listed.includes(name))).toEqual([])
  for (const test of Object.values(otherPages))
    expect(existsSync(join(guides, '../..', test)), test).toBe(true)
})
