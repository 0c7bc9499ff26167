import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { contractData } from './contract-data.ts'
import { snap } from './snap.ts'

const provider_public_key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  type: 'spki',
  format: 'pem',
})
const valid = { ...contractData.credentials(), provider_public_key }

test('SNAP credentials with an invalid key are rejected, and the error does not contain the key', () => {
  for (const field of ['private_key', 'provider_public_key'] as const) {
    const result = snap.credentials.safeParse({ ...valid, [field]: 'secret-that-is-no-key' })
    expect(result.success).toBe(false)
    expect(JSON.stringify(result.error)).not.toContain('secret-that-is-no-key')
  }
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  expect(snap.credentials.safeParse({ ...valid, private_key: ec }).success).toBe(false)
  expect(snap.credentials.safeParse(valid).success).toBe(true)
})
