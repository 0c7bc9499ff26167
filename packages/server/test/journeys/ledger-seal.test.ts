// Verifies a ledger seal (a hash of ledger entries) as a merchant or auditor would, with only the documentation
// (docs/guides/verifying-the-ledger.md) and common libraries.

import { createHash } from 'node:crypto'
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { rotateSigningKey } from '../../src/auth/tokens/rotate-signing-key.ts'
import { issueLedgerStatement } from '../../src/ledger/issue-statement.ts'
import { headProver } from '../../src/ledger/prove-head.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { sell, stateNow } from '../support/ledger.ts'
import { makeTenant } from '../support/make.ts'
import { http, logIn, merchantOf, until } from '../support/merchant.ts'

let service: TestApp
beforeAll(async () => {
  // Without a worker, the service itself creates no ledger seals and ledger statements. Only the test creates
  // them.
  service = await testApp({ worker: false })
})

const published = async () => {
  const answer = await fetch(`${service.demo.base_url}/.well-known/ledger-statement.json`)
  return (await answer.json()) as { statement: string; keys: JWK[] }
}
const ownSeal = () => merchantOf(service.demo).call('GET', '/v1/account/ledger/seal')

/** Computes the Merkle root from a ledger seal (a hash of entries) and its proof, without the service's code. */
function rootOf(seal: Record<string, never>): string {
  const { tenant_id, mode, entries, hash, proof } = seal as unknown as {
    tenant_id: string
    mode: string
    entries: number
    hash: string
    proof: { side: string; hash: string }[]
  }
  const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
  const leaf = [
    tenant_id.replaceAll('-', ''),
    mode.length.toString(16).padStart(8, '0'),
    Buffer.from(mode).toString('hex'),
    entries.toString(16).padStart(16, '0'),
    hash,
  ].join('')
  return proof.reduce(
    (below, step) => sha256(`01${step.side === 'left' ? step.hash + below : below + step.hash}`),
    sha256(`00${leaf}`),
  )
}

async function pay(count: number): Promise<void> {
  const { app, demo } = service
  await sell(app.db, demo.client.tenant_id, count, 'test')
}

test('before the first signed ledger statement, requests for a statement or a seal (hash) return NOT_FOUND', async () => {
  expect((await ownSeal()).status).toBe(404)
  const answer = await fetch(`${service.demo.base_url}/.well-known/ledger-statement.json`)
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { success: false, error: expect.objectContaining({ code: 'NOT_FOUND' }) },
  ])
})

test('a ledger seal (hash) still matches the signed Merkle root after a rotation of the signing key', async () => {
  const { app, demo } = service
  for (let n = 0; n < 4; n++) await sell(app.db, await makeTenant(app.db), 1)
  await pay(3)
  await stateNow(app, demo.client.tenant_id, 'test')
  const { data: seal } = await ownSeal()
  expect(seal).toMatchObject({ tenant_id: demo.client.tenant_id, mode: 'test', entries: 3 })

  for (let n = 0; n < 2; n++) await rotateSigningKey(app, null)
  service.advance(30 * 86_400_000)
  await issueLedgerStatement(app, 0)
  const { statement, keys } = await published()
  expect(statement).not.toBe(seal.statement)
  for (const each of [statement, seal.statement]) {
    const { payload, protectedHeader } = await jwtVerify(each, createLocalJWKSet({ keys }))
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'gapura-ledger-statement+jwt' })
    expect(payload).toEqual({
      iss: expect.any(String),
      iat: expect.any(Number),
      round: expect.stringMatching(/^\d+$/),
      root: rootOf(seal),
    })
  }
})

test('new entries do not change a ledger seal (hash) until the next ledger statement is signed', async () => {
  const { app, demo } = service
  const { data: before } = await ownSeal()
  await pay(2)
  expect((await ownSeal()).data).toEqual(before)
  await stateNow(app, demo.client.tenant_id, 'test')
  const { data: later } = await ownSeal()
  expect(later.entries).toBe(before.entries + 2)
  expect(later.hash).not.toBe(before.hash)
})

test('only one ledger statement is created per period, even if several processes sign at once', async () => {
  const { app } = service
  const count = async () =>
    (await app.db.raw('select count(*)::integer as n from ledger_statements')).rows[0].n
  const before = await count()
  await Promise.all(Array.from({ length: 4 }, () => issueLedgerStatement(app)))
  expect(await count()).toBe(before)
})

test('a signed ledger statement cannot be used as an access token, although the service has signed it', async () => {
  const { statement } = await published()
  const { demo } = service
  expect((await http('GET', `${demo.base_url}/v1/account`, { auth: `Bearer ${statement}` })).status).toBe(401)
  // After the clock was moved forward by a month, the service may reject new access tokens until it has read its keys
  // again. This takes up to half a second.
  await until('an access token is accepted', async () => {
    const auth = await logIn(demo, demo.client)
    return (await http('GET', `${demo.base_url}/v1/account`, { auth })).status === 200
  })
})

test('a ledger seal (hash of entries) is not returned if it does not match the signed statement', async () => {
  const { app, demo } = service
  await asOwner(app.db, async owner => {
    await owner.raw('alter table ledger_seals disable trigger user')
    await owner.raw('grant update on ledger_seals to current_user')
    await owner.raw(`update ledger_seals set hash = sha256('x') where tenant_id = ?`, [demo.client.tenant_id])
  })
  // A new prover has no cached seals. Like a new process, it reads the changed seals from the database.
  app.proveHead = headProver(app.db)
  const answer = await ownSeal()
  expect([answer.status, answer.error?.code]).toEqual([500, 'INTERNAL_ERROR'])
})
