// Tests all packages as npm would publish them. npm installs the packages in a new project, and npx runs their commands
// with Node 22. Install scripts are off, because many package managers block them. Type stripping is off, so that a
// package that still contains TypeScript fails.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePortRange } from '../../packages/server/test/support/free-port.ts'
import { hostNode } from '../docs/places.ts'
import { end, untilReady } from '../support/service-process.ts'

const root = join(import.meta.dirname, '../..')
const names = ['sdk', 'cli', 'sandbox', 'server']

let directory: string
let project: string
let released: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gapura-published-'))
  // The embedded PostgreSQL does not run as root and must be able to read the project.
  await chmod(directory, 0o755)
  const release = ['scripts/release.mjs', '--dry-run', '--tarballs', directory]
  released = (await promisify(execFile)('node', release, { cwd: root })).stdout
  project = join(directory, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true }))
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', [...install, ...names.map(name => join(directory, `${name}.tgz`))])
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const run = async (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd: project, env: { ...withNode(22), ...env } })).stdout

/** Returns an environment with this version of Node first in PATH and without settings for the service. */
function withNode(version: number): Record<string, string> {
  const { PATH, HOME } = process.env
  const network = Object.entries(process.env).filter(([name]) => /^npm_config_|proxy$|_CERTS?/i.test(name))
  return {
    ...(Object.fromEntries(network) as Record<string, string>),
    PATH: [dirname(hostNode(version)), PATH].join(delimiter),
    HOME: HOME as string,
    // With this setting, npx runs only installed packages and never downloads a package.
    npm_config_yes: 'false',
    ...(version >= 22 && { NODE_OPTIONS: '--no-experimental-strip-types' }),
  }
}

/** Runs the command of an installed package that has only one command. */
const npx = (name: string, args: string[]): Promise<string> => run('npx', [name, ...args])

/** Returns the commands in the README: the command that starts the service, and a merchant's commands. */
async function readmeCommands(): Promise<[start: string, pay: string]> {
  const readme = await readFile(join(project, 'node_modules/@gapura/server/README.md'), 'utf8')
  const [start = '', pay = ''] = [...readme.matchAll(/^```sh[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code)
  expect([start, pay]).not.toContain('')
  return [start, pay]
}

const readInstalled = async (name: string) =>
  JSON.parse(await readFile(join(project, 'node_modules', name, 'package.json'), 'utf8'))

test('the release command publishes each of the four packages after the packages that it depends on', () => {
  // If npm already has the current version, the release command reports it as already published. This is the case after
  // a release, until changesets raise the version.
  const lines = names.map(name =>
    expect.stringMatching(`^(would publish @gapura/${name}@.+|@gapura/${name}@.+ is already published)$`),
  )
  expect(released.trim().split('\n')).toEqual(lines)
})

test.each(names)(
  '@gapura/%s has a description, a README, a license, a changelog and keywords',
  async name => {
    const { description, license, keywords, private: isPrivate } = await readInstalled(`@gapura/${name}`)
    expect([description.length > 20, license, keywords.length > 3, isPrivate]).toEqual([
      ...[true, 'Apache-2.0', true],
      undefined,
    ])
    const files = ['README.md', 'LICENSE', 'CHANGELOG.md'].map(file =>
      readFile(join(project, 'node_modules/@gapura', name, file), 'utf8'),
    )
    for (const text of await Promise.all(files)) expect(text.length).toBeGreaterThan(50)
  },
)

test("the service's npm package contains no TypeScript, no test and no file that Git ignores", async () => {
  const files = (await run('tar', ['-tzf', join(directory, 'server.tgz')])).trim().split('\n')
  const own = files.filter(file => !file.startsWith('package/node_modules/'))
  expect(own.length).toBeGreaterThan(200)
  expect(own.filter(file => /\.tsx?$|\.test\.|contract-data|\/\.|\.map$/.test(file))).toEqual([])
})

test("the service's npm package contains the patched copies of dependencies that the repository patches", async () => {
  const { bundleDependencies } = await readInstalled('@gapura/server')
  const patches = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const patched = [...patches.matchAll(/^ {2}(\S+)@[\d.]+: patches\//gm)].map(([, name]) => name as string)
  expect(bundleDependencies).toEqual(patched)
  const patch = await readFile(join(root, 'patches/graphile-worker@0.18.0.patch'), 'utf8')
  const changed = [...patch.matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, file]) => file as string)
  expect(changed.length).toBeGreaterThan(2)
  for (const file of changed) {
    const paths = [join(root, 'packages/server'), join(project, 'node_modules/@gapura/server')]
    const [ours, installed] = await Promise.all(
      paths.map(path => readFile(join(path, 'node_modules/graphile-worker', file), 'utf8')),
    )
    expect(installed).toBe(ours)
  }
})

test.each([
  ['gapura-server', '22.19'],
  ['gapura-sandbox', '22.19'],
  ['gapura', '22.18'],
])('%s prints one line and exits with 1 if Node is too old', async (command, needed) => {
  const started = promisify(execFile)(join(project, 'node_modules/.bin', command), { env: withNode(20) })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^${command}: needs Node ${needed} or newer, but this is Node 20\\.[\\d.]+\\n$`),
    ),
  })
})

test('npx @gapura/sandbox starts the sandbox', async () => {
  const env = { ...withNode(22), SANDBOX_PORT: '0' }
  const sandbox = spawn('npx', ['@gapura/sandbox'], { cwd: project, env, detached: true })
  const [line] = await once(sandbox.stdout, 'data')
  const [url = ''] = String(line).match(/http:\S+/) ?? []
  const { status } = await fetch(`${url}/healthz`)
  await end(sandbox)
  expect(status).toBe(200)
})

describe('npx @gapura/server', () => {
  let service: ChildProcess | undefined
  let baseUrl: string
  beforeAll(async () => {
    const port = await freePortRange(2)
    baseUrl = `http://127.0.0.1:${port}`
    const env = { ...withNode(22), PORT: String(port) }
    const [start] = await readmeCommands()
    service = spawn('sh', ['-c', start], { cwd: project, env, detached: true })
    await untilReady(service, baseUrl)
  })
  afterAll(() => service && end(service))

  const page = async (path: string): Promise<string> => {
    const response = await fetch(baseUrl + path)
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }

  test('the service from the npm package serves the dashboard, the documentation in both languages and the API document', async () => {
    const dashboard = await page('/dashboard')
    const [, script = ''] = dashboard.match(/src="(\/dashboard\/assets\/[^"]+\.js)"/) ?? []
    expect((await page(script)).length).toBeGreaterThan(10_000)
    expect(await page('/docs/quick-start')).toContain('<h1')
    expect(await page('/docs/id/quick-start')).toContain('Mulai cepat')
    expect(await page('/docs/cli')).toContain('@gapura/cli')
    expect(await page('/docs/reference')).toContain('<h1')
    const { version } = await readInstalled('@gapura/server')
    expect(JSON.parse(await page('/openapi.json')).info.version).toBe(version)
    expect((await page('/docs/changelog')).length).toBeGreaterThan(1_000)
  })

  test("a payment made with the README’s npx commands is credited by the npm package's service", async () => {
    const [, pay] = await readmeCommands()
    const paid = await run('bash', ['-e', '-c', pay], { GAPURA_BASE_URL: baseUrl })
    expect(paid).toMatch(/^GP\w+-\w+ is paid\n/)
    expect(await npx('@gapura/server', ['verify-ledger'])).toBe(
      '8 balances, 1 entries and 1 payments: they agree.\n',
    )
  })

  test('gapura-server migrate reports that the database is up to date, because the service migrated it at its start', async () => {
    const command = join(project, 'node_modules/.bin/gapura-server')
    const printed = await promisify(execFile)(command, ['migrate'], { cwd: project, env: withNode(22) })
    expect(printed).toEqual({ stdout: 'The database is up to date.\n', stderr: '' })
  })

  test('the service from the npm package prints its version with --version, and its commands with --help', async () => {
    const { version } = await readInstalled('@gapura/server')
    expect(await npx('@gapura/server', ['--version'])).toBe(`${version}\n`)
    expect(await npx('@gapura/server', ['--help'])).toContain('create-owner')
  })
})
