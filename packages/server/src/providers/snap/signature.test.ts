import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hmacSignature,
  minify,
  notificationSignatureHolds,
  tokenSignature,
  tokenSignatureHolds,
  transactionSignature,
  transactionSignatureHolds,
} from './signature.ts'

const fixture = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')) as {
    inputs: Record<string, string>
    expected: string
  }
const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

describe('signatures match the official SNAP test vectors:', () => {
  test("a token request's signature is valid only with the published key and the unchanged text", () => {
    const { inputs, expected } = fixture('signing-access-token-rsa.json')
    const { public_key = '', client_id = '', timestamp = '' } = inputs
    expect(tokenSignatureHolds(public_key, client_id, timestamp, expected)).toBe(true)
    expect(tokenSignatureHolds(public_key, `${client_id}x`, timestamp, expected)).toBe(false)
    expect(tokenSignatureHolds(pair.publicKey, client_id, timestamp, expected)).toBe(false)
  })

  test("the HMAC for Midtrans' published transaction request equals the published HMAC", () => {
    const { inputs, expected } = fixture('signing-transaction-hmac-from-hash.json')
    expect(hmacSignature(inputs.client_secret as string, inputs.string_to_sign as string)).toBe(expected)
  })
})

test("a SNAP transaction's signature covers method, path, token, body hash and time, in this order", () => {
  const hash = createHash('sha256').update('{"b":1.0,"a":" x "}').digest('hex')
  const signed = { path: '/v1.0/x?y=1', body: Buffer.from('{ "b": 1.0,\n"a": " x " }'), timestamp: 'T' }
  expect(transactionSignature('secret', 'token', signed)).toBe(
    hmacSignature('secret', `POST:/v1.0/x?y=1:token:${hash}:T`),
  )
})

test("the public key of this service's key pair verifies the service's signature on a SNAP token request", () => {
  const signature = tokenSignature(pair.privateKey, 'client', '2026-11-20T10:04:05+07:00')
  expect(tokenSignatureHolds(pair.publicKey, 'client', '2026-11-20T10:04:05+07:00', signature)).toBe(true)
})

describe('minifying a SNAP body', () => {
  const written = fc.json({ maxDepth: 3 })

  test('minifying a JSON body removes only whitespace, and keeps values, key order and spelling', () => {
    fc.assert(
      fc.property(written, fc.constantFrom(' ', '\n', '\t', '\r\n', '   '), (json, space) => {
        const pretty = JSON.stringify(JSON.parse(json), null, space)
        expect(minify(Buffer.from(pretty)).toString()).toBe(JSON.stringify(JSON.parse(json)))
      }),
    )
  })

  test('minifying a JSON body changes neither the order of keys nor the spelling of numbers and escapes', () => {
    const body = '{ "b" : 1.50 , "a" : "\\u0041 \\" , { x" , "c" : "\\\\" , "d" : [ 1e2 , "é ü" ] }'
    expect(minify(Buffer.from(body)).toString()).toBe(
      '{"b":1.50,"a":"\\u0041 \\" , { x","c":"\\\\","d":[1e2,"é ü"]}',
    )
  })
})

describe('a SNAP signature has exactly one valid base64 encoding', () => {
  const signed = { path: '/v1.0/debit/notify', body: Buffer.from('{}'), timestamp: 'T' }
  const rsa = tokenSignature(pair.privateKey, 'POST:/v1.0/debit/notify:', 'x')
  const spellings = (good: string) => [
    `${good} `,
    ` ${good}`,
    good.replaceAll('=', ''),
    Buffer.from(good, 'base64').toString('hex'),
    Buffer.from(good, 'base64').toString('base64url'),
    '',
  ]

  test('an RSA signature is rejected if its base64 text is not the standard encoding of its bytes', () => {
    expect(tokenSignatureHolds(pair.publicKey, 'POST:/v1.0/debit/notify:', 'x', rsa)).toBe(true)
    for (const other of spellings(rsa))
      expect(tokenSignatureHolds(pair.publicKey, 'POST:/v1.0/debit/notify:', 'x', other)).toBe(false)
  })

  test('an HMAC signature is rejected unless it has the standard base64 encoding', () => {
    const good = transactionSignature('secret', 'token', signed)
    expect(transactionSignatureHolds('secret', 'token', signed, good)).toBe(true)
    for (const other of spellings(good))
      expect(transactionSignatureHolds('secret', 'token', signed, other)).toBe(false)
  })

  test('the adapter rejects a SNAP notification whose signature is an arbitrary text, and does not throw an error', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(notificationSignatureHolds(pair.publicKey, signed, text)).toBe(false)
      }),
    )
  })
})
