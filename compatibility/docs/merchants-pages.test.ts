// Runs the code in the quick start, and then the code in the guides. Each page continues where the previous page
// ended. As README.md describes, only the port numbers in the code are changed.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from '../../packages/server/src/docs/contents.ts'
import { languagePages, merchantPages, operatorPages, otherPages, root, sqlTests } from './pages.ts'
import { type MadePlace, newcomersPlace } from './places.ts'
import { readBlock, readCommand } from './read-command.ts'
import { type PageRun, runPage, withPorts } from './run-page.ts'

const [quickStart, ...later] = merchantPages

// This test timeout is not reached in practice, because a code block that hangs fails earlier, with an error that names
// the block.
const timeout = 900_000

let place: MadePlace
/**
 * The terminals in which the test ran the code of the quick start page. They stay open, because this code
 * starts the service that all other pages use.
 */
let first: PageRun | undefined

beforeAll(async () => {
  place = await newcomersPlace()
})
afterAll(async () => {
  await first?.close()
  await place?.remove()
})

test('a reader who follows only the quick start gets a paid payment and a verified webhook', {
  timeout,
}, async () => {
  first = await runPage(join(root, quickStart), place)
})

test.each(later)(
  'every code block of the documentation page %s runs without an error, and its output matches the page',
  { timeout },
  async page => {
    if (!first) throw new Error('the quick start failed')
    // The receiver from the quick start is closed before the webhooks page starts its own receiver. Otherwise, the
    // quick start's receiver would also get the webhooks of the webhooks page.
    if (page === 'docs/guides/webhooks.md') await first.close('shop')
    const inCheckout = page.startsWith('packages/') || page === 'docs/guides/onboarding.md'
    const begin = { ...place, directory: join(place.directory, inCheckout ? 'gapura' : 'shop') }
    // The commands in the tab `Your installation` are skipped here, because
    // compatibility/deploy/guide.test.ts runs them.
    const { close } = await runPage(join(root, page), begin, { skipTab: 'Your installation' })
    await close()
  },
)

test("the README's examples create a payment in TypeScript and with the CLI", async () => {
  const readme = withPorts(await readFile(join(root, 'README.md'), 'utf8'), place)
  const program = readBlock(readme, 'ts')
  const command = readCommand(readme, './gapura payments create')
  const shop = join(place.directory, 'shop')
  await writeFile(join(shop, 'readme.ts'), `${program}\nconsole.log(payment.status)\n`)
  const checkout = join(place.directory, 'gapura')
  const commands = `
    cd ${shop}; npx tsx --env-file=.env readme.ts
    set -a; . ./.env; export GAPURA_BASE_URL=$GAPURA_URL
    cd ${checkout}; ${command}`
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { env: place.env })
  expect(stdout).toMatch(/^\d+\npending\nRp\s100\.000 is pending/)
})

test('the TypeScript code on the merchants’ pages compiles in strict mode', async () => {
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

test('a test runs every code block in the documentation, the guides and the package READMEs, except diagrams', async () => {
  const run: string[] = [...merchantPages, ...languagePages, ...operatorPages, ...Object.keys(otherPages)]
  const folders = await Promise.all(
    ['docs', 'docs/guides', 'packages/cli', 'packages/sandbox', 'packages/sdk', 'packages/server'].map(
      async folder => (await readdir(join(root, folder))).map(name => `${folder}/${name}`),
    ),
  )
  const markdown = folders.flat().filter(file => file.endsWith('.md'))
  const unrun = new Set([...pages.map(({ file }) => file), ...markdown].filter(file => !run.includes(file)))
  for (const file of unrun) {
    const text = (await readFile(join(root, file), 'utf8')).replaceAll(/^```mermaid$.*?^```$/gms, '')
    expect(text.match(/^[ >]*(?:```|~~~).*/gm), file).toBe(null)
  }
  for (const test of Object.values({ ...otherPages, ...sqlTests }))
    expect(existsSync(join(root, test)), test).toBe(true)
})
