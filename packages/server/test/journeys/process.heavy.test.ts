import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { merchantOf } from '../support/merchant.ts'
import { newPlace, type Place, removePlace, type Service, startService } from '../support/service.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

let place: Place
let service: Service

beforeAll(async () => {
  place = await newPlace()
  service = await startService(place)
})
afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

/**
 * Starts the service with settings that must prevent it from starting. Returns its exit code and standard error.
 */
async function failToStart(env: Record<string, string>, stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [main], {
    // Without the compile cache, each start would take twice the CPU time.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let stderr = ''
  child.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

test('only the user who runs the service can read its files with generated secrets', async () => {
  for (const file of ['demo.json', 'master.key']) {
    expect((await stat(join(place.dataDir, file))).mode & 0o777).toBe(0o600)
  }
})

test('on its first start, the service prints how to create and pay a payment', () => {
  expect(service.output()).toContain(`ApiKey ${service.demo.client.test_key}`)
  expect(service.output()).toContain(`${service.demo.sandbox_url}/simulate`)
})

test('a second service in the same data directory exits with code 1 and one line of instructions', async () => {
  const { code, stderr } = await failToStart({
    GAPURA_DATA_DIR: place.dataDir,
    PORT: '0',
    GAPURA_SANDBOX_PORT: '0',
  })
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(stderr).toMatch(
    /^gapura: data directory .* is in use by process \d+; stop it or set GAPURA_DATA_DIR/,
  )
})

test.each(['PORT', 'GAPURA_SANDBOX_PORT'])(
  'a service whose port (variable %s) is in use exits with code 1 and one line that says what to do',
  async variable => {
    const other = await newPlace()
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const busy = String((blocker.address() as { port: number }).port)
    const { code, stderr } = await failToStart({
      GAPURA_DATA_DIR: other.dataDir,
      PORT: String(other.port),
      GAPURA_SANDBOX_PORT: String(other.port + 1),
      [variable]: busy,
    })
    expect([code, stderr.trim().split('\n').length], stderr).toEqual([1, 1])
    expect(stderr).toContain(`127.0.0.1:${busy} is already in use`)
    expect(stderr.match(/\w*PORT\b/g)).toContain(variable)
    blocker.close()
    await removePlace(other)
  },
)

test('a service that cannot write to standard output exits with code 1 and one line on standard error', async () => {
  const other = await newPlace()
  const full = await open('/dev/full', 'w')
  const { code, stderr } = await failToStart(
    { GAPURA_DATA_DIR: other.dataDir, PORT: String(other.port), GAPURA_LOG_LEVEL: 'silent' },
    full.fd,
  )
  await full.close()
  await removePlace(other)
  expect([code, stderr.split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^gapura: cannot write to standard output \(ENOSPC.*\); redirect it /), ''],
  ])
})

test.each([
  ['postgres://gapura@[::1]:1/none', 'cannot connect to the database', /ECONNREFUSED/],
  ['postgres://gapura@localhost:1/none', 'cannot connect to the database', /ECONNREFUSED/],
  ['postgres://gapura@localhost/none?host=/nonexistent', 'cannot connect to the database', /ENOENT/],
  ['postgres://gapura@name.invalid/none', 'cannot connect to the database', /name\.invalid/],
  ['the name of no database', 'PostgreSQL rejected the connection', /database "none" does not exist/],
])(
  'a service that cannot use the database %s exits with code 1 and one line that names the reason',
  async (given, problem, reason) => {
    const missing = new URL((await testDatabase()).url)
    missing.pathname = '/none'
    const { code, stderr } = await failToStart({
      DATABASE_URL: given.startsWith('postgres:') ? given : missing.href,
      GAPURA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    })
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [expect.stringMatching(new RegExp(`^gapura: ${problem} \\(.+\\); check DATABASE_URL`)), ''],
    ])
    expect(stderr).toMatch(reason)
  },
)

test('a service with missing or contradictory environment variables exits with code 1 and one line that says what to do', async () => {
  expect(await failToStart({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toEqual({
    code: 1,
    stderr:
      'gapura: GAPURA_MASTER_KEY: required with DATABASE_URL; create one with: openssl rand -base64 32\n',
  })
  const away = await failToStart({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GAPURA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  })
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringMatching(/^gapura: cannot connect to the database .*; check DATABASE_URL\n$/),
  ])
  const direct = await failToStart({
    DATABASE_URL: (await testDatabase()).url,
    GAPURA_DIRECT_DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GAPURA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  })
  expect([direct.code, direct.stderr]).toEqual([
    1,
    expect.stringMatching(/^gapura: cannot connect .*; check GAPURA_DIRECT_DATABASE_URL\n$/),
  ])
  const mixed = await failToStart({
    DATABASE_URL: (await testDatabase()).url,
    GAPURA_DIRECT_DATABASE_URL: (await testDatabase()).url,
    GAPURA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
  })
  expect([mixed.code, mixed.stderr]).toEqual([
    1,
    expect.stringMatching(/^gapura: GAPURA_DIRECT_DATABASE_URL: leads to a different database .+\n$/),
  ])
})

test('a stopping service finishes its requests in flight, loses no data, and exits with code 0', async () => {
  const merchant = merchantOf(service.demo)
  const slow = merchant.create({ customer_name: 'SANDBOX SLOW' }, 'slow')
  const { data } = await merchant.create({}, 'before')
  const exit = service.stop()
  expect((await slow).data.status).toBe('pending')
  expect(await exit).toBe(0)

  service = await startService(place)
  expect((await merchant.get(data.id)).data).toEqual(data)
  expect((await merchant.create({ customer_name: 'SANDBOX SLOW' }, 'slow')).data.id).toBe(
    (await slow).data.id,
  )
})

test('a service with an existing data directory can be restarted on other ports', async () => {
  await service.stop()
  const elsewhere = await newPlace()
  service = await startService({ dataDir: place.dataDir, port: elsewhere.port })
  const demo = JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8'))
  expect(demo.base_url).toBe(`http://127.0.0.1:${elsewhere.port}`)
  expect((await merchantOf(service.demo).create()).status).toBe(200)
  await removePlace(elsewhere)
})
