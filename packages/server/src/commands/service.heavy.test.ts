// Tests the `gapura-server` command both while a service with the embedded database is running and while it is
// stopped.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, startCommand } from '../../test/support/command.ts'
import { testDatabase } from '../../test/support/database.ts'
import { merchantOf, simulate, until } from '../../test/support/merchant.ts'
import { newPlace, type Place, removePlace, type Service, startService } from '../../test/support/service.ts'

let place: Place
let service: Service
let paymentId: string
beforeAll(async () => {
  place = await newPlace()
  service = await startService(place)
})
afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

const run = (args: string[], env: Record<string, string> = {}, input = '') =>
  runCommand(args, { GAPURA_DATA_DIR: place.dataDir, ...env }, input)

test('while the service is running, gapura-server commands use the embedded database of this service', async () => {
  const merchant = merchantOf(service.demo)
  const { data } = await merchant.create()
  paymentId = data.id
  await simulate(service.demo, data, 'paid')
  await until('it is paid', async () => (await merchant.get(data.id)).data.status === 'paid')
  const verified = await run(['verify-ledger'])
  expect([verified.code, verified.stdout], verified.stderr).toEqual([
    0,
    '8 balances, 1 entries and 1 payments: they agree.\n',
  ])
  const owner = await run(['create-owner', '--email', 'a@example.com'], {}, 'long enough')
  expect([owner.code, owner.stderr]).toEqual([
    1,
    'gapura-server: an Owner already exists; log in as a user of the Owner\n',
  ])
})

test('while the service is running, rotate-master-key fails if the master key is in its data directory', async () => {
  const { code, stderr } = await run(['rotate-master-key'], {
    GAPURA_NEW_MASTER_KEY: randomBytes(32).toString('base64'),
  })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^gapura-server: data directory .* is in use by process/),
  ])
})

test("rotate-master-key replaces the master key in a stopped service's data directory", async () => {
  await service.stop()
  const file = join(place.dataDir, 'master.key')
  const next = randomBytes(32).toString('base64')
  const { code, stdout, stderr } = await run(['rotate-master-key'], { GAPURA_NEW_MASTER_KEY: next })
  expect([code, stdout], stderr).toEqual([
    0,
    expect.stringMatching(/^Re-encrypted: \d+\. Already encrypted with the new key: 0\./),
  ])
  expect((await readFile(file, 'utf8')).trim()).toBe(next)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await expect(access(`${file}.new`)).rejects.toThrow()
})

test('if replacing the master key was interrupted, the service starts only after rotate-master-key completes it', async () => {
  const file = join(place.dataDir, 'master.key')
  const old = await readFile(file, 'utf8')
  const next = randomBytes(32).toString('base64')
  // Simulates a crash after the last secret was re-encrypted but before the new key file was renamed.
  await run(['rotate-master-key'], { GAPURA_NEW_MASTER_KEY: next })
  await rename(file, `${file}.new`)
  await writeFile(file, old)

  await expect(startService(place)).rejects.toThrow(
    /the rotation of the master key in .* is not finished; finish it with: gapura-server rotate-master-key/,
  )
  const another = await run(['rotate-master-key'], {
    GAPURA_NEW_MASTER_KEY: randomBytes(32).toString('base64'),
  })
  expect([another.code, another.stderr]).toEqual([
    1,
    expect.stringContaining('an earlier rotation is not finished'),
  ])
  const { code, stdout } = await run(['rotate-master-key'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Re-encrypted: 0\. Already encrypted with the new key: \d+\./),
  ])
  expect((await readFile(file, 'utf8')).trim()).toBe(next)
  service = await startService(place)
  const merchant = merchantOf(service.demo)
  expect((await merchant.get(paymentId)).data.status).toBe('paid')
  // Creating a payment succeeds only if the service can decrypt the provider's credentials with the new
  // master key.
  expect((await merchant.create()).status).toBe(200)
})

test('the start command runs the service in the given role until it receives a stop signal', async () => {
  const { url } = await testDatabase()
  const child = startCommand(['start', '--role', 'worker'], {
    DATABASE_URL: url,
    GAPURA_MASTER_KEY: randomBytes(32).toString('base64'),
    GAPURA_ROLE: 'api',
  })
  const exited = once(child, 'exit')
  for await (const chunk of child.stdout) if (String(chunk).includes('The Gapura worker is ready')) break
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
