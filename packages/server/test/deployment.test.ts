// Checks that the variables, ports, paths, commands, and versions named in the files in deploy/ exist in the
// code.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/config.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(match => match[1] as string)

const files = globSync('deploy/{Dockerfile,compose.yaml,.env.example,kubernetes/**/*.yaml}', { cwd: root })
const dockerfile = read('deploy/Dockerfile')
const compose = read('deploy/compose.yaml')
const texts = files.map(file => ({ file, text: read(file) }))

/** Variables that only compose.yaml uses: the published port and parts of the database URLs. */
const ofCompose = ['GAPURA_PORT', 'GAPURA_DATABASE_PASSWORD', 'GAPURA_OWNER_DATABASE_PASSWORD']

/** The variables that config.ts reads. */
const configured = found(read('packages/server/src/config.ts'), /^ {2}([A-Z][A-Z_]+):/gm)

/** The variables that deploy/.env cannot set. The value of each entry is the reason. */
const notFromEnvFile: Record<string, string> = {
  PORT: 'the image sets it; GAPURA_PORT sets the published port',
  HOST: 'the image sets it; other containers must be able to connect',
  DATABASE_URL: 'compose.yaml builds it from GAPURA_DATABASE_PASSWORD',
  GAPURA_MIGRATE_DATABASE_URL: 'only the migrate service may connect as the owner of the tables',
  GAPURA_DIRECT_DATABASE_URL: 'DATABASE_URL has no connection pooler',
  GAPURA_DATA_DIR: 'the image sets it, because the rest of the file system is read-only',
  GAPURA_ROLE: 'the command of each service sets it',
  GAPURA_SANDBOX_PORT: 'only for the sandbox that runs with the embedded database',
  GAPURA_OPERATIONS_HOST: 'the port must be reachable from the other containers',
  GAPURA_OPERATIONS_PORT: 'the health check uses the port that the image sets',
  GAPURA_TLS_CERT: 'a proxy on the host terminates TLS; the container has no certificate file',
  GAPURA_TLS_KEY: 'a proxy on the host terminates TLS; the container has no key file',
  GAPURA_SHUTDOWN_DELAY_SECONDS: 'stop_grace_period is set for the default delay',
}

describe('files in deploy/ refer only to variables, paths, commands, and files that exist', () => {
  test('more than eight files are found in deploy/, so that the following tests cannot pass with an empty list', () => {
    expect(files.length).toBeGreaterThan(8)
  })

  test.each(['GAPURA', 'SANDBOX'])(
    'every environment variable %s_… that the files in deploy/ mention is one that the program reads',
    prefix => {
      const settings = read(
        prefix === 'GAPURA' ? 'packages/server/src/config.ts' : 'packages/sandbox/src/settings.ts',
      )
      const known = new Set([...found(settings, /^ {2}([A-Z][A-Z_]+):/gm), ...ofCompose])
      const named = texts.flatMap(({ file, text }) =>
        found(text, new RegExp(`\\b(${prefix}_[A-Z_]*[A-Z])`, 'g')).map(name => ({ file, name })),
      )
      expect(named.length).toBeGreaterThan(3)
      expect(named.filter(({ name }) => !known.has(name))).toEqual([])
    },
  )

  test('deploy/.env.example documents every variable that the compose file reads from .env, and no other variables', () => {
    const asked = found(compose, /\$\{([A-Z_]+)/g).filter(
      name => !['GAPURA_PORT', 'SANDBOX_PORT'].includes(name),
    )
    const secrets = found(compose, /environment: ([A-Z_]+) \}/g)
    expect([...new Set([...asked, ...secrets])].sort()).toEqual(
      found(read('deploy/.env.example'), /^([A-Z_]+)=/gm).sort(),
    )
  })

  test.each(['api', 'worker', 'migrate'])(
    'the Compose service %s gets every configuration variable from deploy/.env, except the variables that this test lists as exceptions',
    name => {
      const { services } = parse(compose, { merge: true }) as {
        services: Record<string, { environment: Record<string, string> }>
      }
      const environment = services[name]?.environment ?? {}
      const passed = configured.filter(variable => environment[variable]?.includes(`\${${variable}:`))
      expect([...passed, ...Object.keys(notFromEnvFile)].sort()).toEqual([...configured].sort())
    },
  )

  test('a variable that is empty in deploy/.env counts as unset', () => {
    const own = {
      DATABASE_URL: 'postgres://gapura@postgres/gapura',
      GAPURA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    }
    const empty = Object.fromEntries(configured.map(name => [name, '']))
    expect(readConfig({ ...empty, ...own })).toEqual(readConfig(own))
  })

  test('every Gapura pod in deploy/kubernetes gets all variables of the ConfigMap and the Secret', () => {
    type Workload = {
      spec?: { template?: { spec: { containers: { image: string; envFrom?: unknown[] }[] } } }
    }
    const containers = globSync('deploy/kubernetes/base/*.yaml', { cwd: root })
      .flatMap(file => parseAllDocuments(read(file)).map(document => document.toJS() as Workload))
      .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
      .filter(({ image }) => image === 'gapura')
    expect(containers).toHaveLength(3)
    for (const { envFrom } of containers)
      expect(envFrom).toEqual(
        expect.arrayContaining([{ configMapRef: { name: 'gapura' } }, { secretRef: { name: 'gapura' } }]),
      )
  })

  test('files in deploy/ use only health check paths that the service serves', () => {
    const served = found(read('packages/server/src/http/health.ts'), /router\.get\('([^']+)'/g)
    const asked = texts.flatMap(({ text }) => found(text, /path: (\/[a-z]+z)\b/g))
    const checked = found(dockerfile, /\}(\/[a-z]+)"/g)
    expect(new Set([...asked, ...checked])).toEqual(new Set(served))
  })

  test('files in deploy/ run only existing `gapura-server` commands', () => {
    const commands = found(read('packages/server/src/commands/program.ts'), /\.command\('([a-z-]+)'\)/g)
    const used = texts.flatMap(({ text }) => found(text, /(?:command|args): \[([a-z-]+)/g))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter(command => !commands.includes(command))).toEqual([])
  })
})

describe('the container image has the tested versions and flags, and all files that the service needs', () => {
  test('the container image uses the Node version, pnpm version, and flags with which the service is tested', () => {
    const nodeVersion = found(read('pnpm-workspace.yaml'), /^nodeVersion: (.+)$/gm)
    expect(found(dockerfile, /^ARG NODE_IMAGE=node:([\d.]+)-slim$/gm)).toEqual(nodeVersion)
    const pnpm = found(read('scripts/with-deps.mjs'), /^const pnpm = 'pnpm@(.+)'$/gm)
    expect(new Set(found(dockerfile, /pnpm@([\d.]+)/g))).toEqual(new Set(pnpm))
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    expect(found(dockerfile, /NODE_OPTIONS=(\S+)/g)).toEqual(found(scripts.start, / node (--\S+) packages/g))
  })

  test('the container image copies only files that are part of its build context', () => {
    const passed = found(read('deploy/Dockerfile.dockerignore'), /^!(.+)$/gm)
    const copied = dockerfile
      .split('\n')
      .filter(line => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap(line => line.split(/\s+/).slice(1, -1))
    expect(copied.length).toBeGreaterThan(10)
    const isPassed = (path: string) =>
      passed.some(each => each === path || each.startsWith(`${path}/`) || path.startsWith(`${each}/`))
    expect(copied.filter(path => !isPassed(path))).toEqual([])
  })

  test('the container image contains every page that the service serves under /docs', async () => {
    const { pages } = await import('../src/docs/contents.ts')
    const passed = found(read('deploy/Dockerfile.dockerignore'), /^!(.+)$/gm)
    const isPassed = (file: string) => passed.some(each => each === file || file.startsWith(`${each}/`))
    expect(pages.map(({ file }) => file).filter(file => !isPassed(file))).toEqual([])
  })
})
