import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { JWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { identifyCaller } from '../../src/api/context.ts'
import { rotateSigningKey } from '../../src/auth/tokens/rotate-signing-key.ts'
import { listSigningKeys } from '../../src/auth/tokens/signing-key.sql.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { logIn } from '../support/merchant.ts'
import { outcome, usersOf } from '../support/user.ts'

let service: TestApp
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  service = await testApp()
  users = usersOf(service)
})

test('a user is identified with the Partner that manages the tenant, or without one for other tenants', async () => {
  const { app, demo } = service
  const identify = async (user: { email: string; password: string }) =>
    identifyCaller(app, await logIn(demo, user), undefined, async () => undefined)
  const partnerId = demo.partner.tenant_id
  expect(await identify(demo.client)).toMatchObject({ tenantId: demo.client.tenant_id, partnerId })
  expect(await identify(demo.partner)).toMatchObject({ tenantId: partnerId, partnerId: null })
})

describe('sessions stay valid after a rotation of the signing key for access tokens', () => {
  const jwks = async () =>
    ((await (await fetch(`${service.demo.base_url}/.well-known/jwks.json`)).json()) as { keys: JWK[] }).keys
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid
  /** Waits until the process has read the signing keys again. Before that, the process uses its cached keys. */
  const readAgain = () => new Promise(resolve => setTimeout(resolve, 600))

  test('rotating the access token signing key does not end sessions', async () => {
    service.stopClock()
    const user = await users.makeUser()
    const before = await users.startSession(user)
    const old = kidOf(before.access_token)
    const { kid, followed } = await rotateSigningKey(service.app, null)
    expect(followed).toEqual([old])

    // The new signing key is published at once, but signs tokens only after every process has read it.
    await readAgain()
    expect((await jwks()).map(key => key.kid).sort()).toEqual([old, kid].sort())
    expect(kidOf((await users.startSession(user)).access_token)).toBe(old)
    service.advance(5_000)
    await readAgain()
    const after = await users.startSession(user)
    expect(kidOf(after.access_token)).toBe(kid)
    for (const token of [before.access_token, after.access_token])
      expect((await users.call(token)).status).toBe(200)

    // Advances the clock by more than the lifetime of an access token, so that every token signed by the old key has
    // expired.
    service.advance(900_000 + 60_000)
    await readAgain()
    expect((await jwks()).map(key => key.kid)).toEqual([kid])
    expect(kidOf((await users.startSession(user)).access_token)).toBe(kid)
  })

  test('the published signing key contains no private key', async () => {
    for (const key of await jwks())
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('forged access tokens are rejected', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const strangerJwk = stranger.publicKey.export({ format: 'jwk' })

  /**
   * Describes how to change a copy of an access token. By default, the copy is signed with the service's newest
   * key.
   */
  type Forgery = {
    header?: object
    payload?: (claims: Record<string, number>) => object
    hash?: string
    by?: 'us' | 'stranger' | 'nobody' | 'the public key as a secret'
  }

  async function forge({ header = {}, payload, hash = 'sha256', by = 'us' }: Forgery): Promise<string> {
    const { access_token } = await users.startSession()
    const [head, body] = access_token.split('.')
    const [row] = await listSigningKeys(service.app.db, service.app.clock(), service.app.clock())
    if (!row) throw new Error('there is no signing key')
    const privateJwk = JSON.parse(
      await service.app.secrets.decrypt(row.privateJwkSealed, `signing key ${row.kid}`),
    )
    const claims = decode(body)
    const input = `${encode({ ...decode(head), ...header })}.${encode({ ...claims, ...payload?.(claims) })}`
    if (by === 'nobody') return `${input}.`
    if (by === 'the public key as a secret') {
      const pem = createPublicKey({ key: row.publicJwk as object, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      })
      return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`
    }
    const key = by === 'us' ? ({ key: privateJwk, format: 'jwk' } as const) : stranger.privateKey
    return `${input}.${sign(hash, Buffer.from(input), key).toString('base64url')}`
  }

  test('an unchanged token that this test signs is accepted, so only changes cause the other rejections', async () => {
    expect((await users.call(await forge({}))).status).toBe(200)
  })

  test.each<[string, Forgery]>([
    ['without a signature', { header: { alg: 'none' }, by: 'nobody' }],
    [
      'with an HS256 signature by our public key',
      { header: { alg: 'HS256' }, by: 'the public key as a secret' },
    ],
    ['with an RS512 signature by our key', { header: { alg: 'RS512' }, hash: 'sha512' }],
    ['that is signed with another key', { by: 'stranger' }],
    ['that contains its own key', { header: { jwk: strangerJwk }, by: 'stranger' }],
    ['that links to its own key', { header: { jku: 'http://127.0.0.1:9/jwks.json' }, by: 'stranger' }],
    ['that links to its own certificate', { header: { x5u: 'http://127.0.0.1:9/cert.pem' }, by: 'stranger' }],
    ['whose key id is a path', { header: { kid: '../../../../dev/null' } }],
    ['whose key id is SQL', { header: { kid: "' union select 'secret' --" } }],
    ['of another issuer', { payload: () => ({ iss: 'https://evil.example.com' }) }],
    ['for another audience', { payload: () => ({ aud: 'somebody' }) }],
    ['that has expired', { payload: ({ iat = 0 }) => ({ exp: iat - 1 }) }],
    ['that is not valid yet', { payload: ({ iat = 0 }) => ({ nbf: iat + 600 }) }],
  ])('an access token %s is rejected with the error "Invalid JWT token"', async (_, forgery) => {
    expect(outcome(await users.call(await forge(forgery)))).toEqual([
      401,
      'UNAUTHORIZED',
      'Invalid JWT token',
    ])
  })
})
