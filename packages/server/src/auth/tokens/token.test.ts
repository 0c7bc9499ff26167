import { createHmac, createPublicKey, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { importJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../../test/support/any-text.ts'
import { later, now } from '../../../test/support/make.ts'
import { randomRuns } from '../../../test/support/random-runs.ts'
import { GatewayError } from '../../faults/errors.ts'
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  importSigningKey,
  type KeyRing,
  newSigningKey,
  signAccessToken,
  verifyAccessToken,
} from './token.ts'

const claims: AccessClaims = {
  sub: '01990000-0000-7000-8000-000000000010',
  role: 'client',
  tier: 'enterprise',
  user_id: '01990000-0000-7000-8000-000000000011',
  sid: '01990000-0000-7000-8000-000000000012',
}
const signed = { ...claims, permissions: ['finance'] as const }
const [ours, older, strangers] = await Promise.all([newSigningKey(), newSigningKey(), newSigningKey()])
const ring: KeyRing = {
  keys: [
    await importSigningKey(ours.publicJwk, ours.privateJwk),
    await importSigningKey(older.publicJwk, older.privateJwk),
  ],
  issuer: 'https://pay.example.com',
}
const seconds = Math.floor(now.getTime() / 1000)
const token = await signAccessToken(ring, signed, now)
const [head, body, signature] = token.split('.') as [string, string, string]
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Returns an access token with altered claims, signed with the service's newest signing key. */
async function forged(
  change: { header?: object; payload?: object; algorithm?: string } = {},
): Promise<string> {
  const alg = change.algorithm ?? 'RS256'
  const { alg: _, ...jwk } = ours.privateJwk
  return new SignJWT({ ...decode(body), ...change.payload })
    .setProtectedHeader({ ...decode(head), ...change.header, alg })
    .sign(await importJWK(jwk, alg))
}

async function expectRefused(text: string, at = now): Promise<void> {
  const error = await verifyAccessToken(ring, text, at).then(
    () => undefined,
    thrown => thrown,
  )
  expect(error).toBeInstanceOf(GatewayError)
  expect(error).toMatchObject({ code: 'UNAUTHORIZED', message: 'Invalid JWT token' })
}

describe('a valid access token is accepted', () => {
  test('an access token identifies the caller and is valid for fifteen minutes', async () => {
    expect(await verifyAccessToken(ring, token, now)).toEqual(claims)
    expect(decode(body)).toEqual({
      ...signed,
      iss: 'https://pay.example.com',
      aud: 'gapura',
      iat: seconds,
      exp: seconds + 900,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(ACCESS_TOKEN_SECONDS).toBe(900)
    expect(decode(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: ours.kid })
  })

  test('an access token stays valid after its signing key has been replaced', async () => {
    const old = await signAccessToken({ ...ring, keys: [...ring.keys].reverse() }, signed, now)
    expect(decode(old.split('.')[0] as string).kid).toBe(older.kid)
    expect(await verifyAccessToken(ring, old, now)).toEqual(claims)
  })

  test('an access token is still valid in its last second, and invalid once it has expired', async () => {
    expect(await verifyAccessToken(ring, token, later(899_000))).toEqual(claims)
    await expectRefused(token, later(900_000))
  })

  test('an access token can be verified with the published key, which does not contain the private key', () => {
    expect(Object.keys(ours.publicJwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('an invalid access token is rejected', () => {
  test('an access token is rejected if it is truncated anywhere or extended', async () => {
    for (let end = 0; end < token.length; end += 1) await expectRefused(token.slice(0, end))
    for (const text of [
      `${token}.`,
      `.${token}`,
      `${token}.x`,
      ` ${token}`,
      `${head}.${body}.`,
      'a.b.c',
      '..',
    ])
      await expectRefused(text)
  })

  test('an access token with one character changed is rejected', async () => {
    // The test leaves the last character of the signature unchanged. In base64url, the last character has unused bits,
    // so a different character can encode the same signature.
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.stringMatching(/^[A-Za-z0-9_-]$/), async (at, other) => {
        fc.pre(token[at] !== other)
        await expectRefused(token.slice(0, at) + other + token.slice(at + 1))
      }),
      { numRuns: randomRuns(500) },
    )
  })

  test('arbitrary text sent as an access token is rejected', async () => {
    await fc.assert(fc.asyncProperty(anyText(), text => expectRefused(text)))
  })

  test.each(['none', 'None', 'NONE', ''])('an unsigned access token with alg %j is rejected', async alg => {
    for (const end of ['', signature])
      await expectRefused(`${encode({ ...decode(head), alg })}.${body}.${end}`)
  })

  test('an access token is rejected if an attacker signed it with HS256 and used our public key as the secret', async () => {
    const key = createPublicKey({ key: ours.publicJwk, format: 'jwk' })
    const pem = key.export({ type: 'spki', format: 'pem' }).toString()
    const der = key.export({ type: 'spki', format: 'der' })
    for (const secret of [pem, pem.trim(), der, JSON.stringify(ours.publicJwk), ours.publicJwk.n as string]) {
      const input = `${encode({ ...decode(head), alg: 'HS256' })}.${body}`
      await expectRefused(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)
    }
  })

  test.each(['RS384', 'RS512', 'PS256'])(
    'an access token signed with the algorithm %s is rejected, even if our own key signed it',
    async algorithm => {
      await expectRefused(await forged({ algorithm }))
    },
  )

  test('an access token is rejected if its header names a different key than the one that signed it', async () => {
    const key = await importSigningKey({ ...strangers.publicJwk, kid: ours.kid }, strangers.privateJwk)
    await expectRefused(await signAccessToken({ ...ring, keys: [key] }, signed, now))
  })

  test.each([
    'unknown',
    '',
    '../../../../dev/null',
    "' or 1=1 --",
    `${'0'.repeat(8)}-0000-7000-8000-000000000000`,
    'https://evil.example.com/jwks.json',
    7,
    null,
    undefined,
    ['a'],
  ])('an access token with the key ID %j is rejected, even if our own key signed it', async kid => {
    await expectRefused(await forged({ header: { kid: kid as string } }))
  })

  test('an access token with its own key or key URL is rejected, and the URL is never fetched', async () => {
    let looked = 0
    const server = createServer((_, response) => {
      looked += 1
      response.end(JSON.stringify({ keys: [strangers.publicJwk] }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
    for (const kid of [ours.kid, strangers.kid]) {
      for (const bait of [{ jwk: strangers.publicJwk }, { jku: url }, { x5u: url }, { x5c: ['MIIB'] }]) {
        const input = `${encode({ ...decode(head), kid, ...bait })}.${body}`
        const key = { key: strangers.privateJwk, format: 'jwk' } as const
        await expectRefused(`${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`)
      }
    }
    await new Promise(resolve => server.close(resolve))
    expect(looked).toBe(0)
  })

  test.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['of no issuer', { iss: undefined }],
    ['for another audience', { aud: 'somebody' }],
    ['without an audience', { aud: undefined }],
    ['that has expired', { exp: seconds - 1 }],
    ['without an expiry', { exp: undefined }],
    ['whose expiry is text', { exp: 'never' }],
    ['that is not valid yet', { nbf: seconds + 60 }],
    ['without an issue time', { iat: undefined }],
    ['without a token id', { jti: undefined }],
    ['of no tenant', { sub: undefined }],
    ['of a tenant with an invalid id', { sub: "' or 1=1 --" }],
    ['of a role that does not exist', { role: 'root' }],
    ['of no role', { role: undefined }],
    ['of a tier that does not exist', { tier: 'free' }],
    ['of no user', { user_id: undefined }],
  ])(
    'an access token %s is rejected because of its invalid content, even if it has a valid signature by our own key',
    async (_, payload) => {
      await expectRefused(await forged({ payload }))
    },
  )

  test('an access token whose header requires an unknown extension (crit) is rejected', async () => {
    const header = { ...decode(head), crit: ['exp'], exp: 1 }
    const input = `${encode(header)}.${body}`
    const key = { key: ours.privateJwk, format: 'jwk' } as const
    await expectRefused(`${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`)
  })

  test('every access token is rejected if no signing key exists', async () => {
    await expect(verifyAccessToken({ ...ring, keys: [] }, token, now)).rejects.toThrow('Invalid JWT token')
  })

  test('the service accepts an unaltered access token that a test has signed with the service’s own key', async () => {
    expect(await verifyAccessToken(ring, await forged(), now)).toEqual(claims)
  })
})
