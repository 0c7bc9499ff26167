// Tests DOKU callbacks in the SNAP protocol. Each callback contains a token that this service issued, and a signature
// made with the provider account's secret. After a change of credentials, the token and the signature may belong to
// different versions.

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { later, noCallbackRules, now } from '../../test/support/make.ts'
import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { Credentials } from '../providers/doku/credentials.ts'
import { doku } from '../providers/doku/doku.ts'
import { issueToken } from '../providers/doku/issued-token.ts'
import { transactionSignature } from '../providers/snap/signature.ts'
import { verifyWithValidCredentials } from './verify-callback.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const credentialsWith = (secret_key: string): Credentials => ({
  client_id: 'BRN-1',
  secret_key,
  partner_service_id: '77777',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  provider_public_key: publicKey.export({ type: 'spki', format: 'pem' }) as string,
})
const [first, second, present] = ['first', 'second', 'present'].map(credentialsWith) as [
  Credentials,
  Credentials,
  Credentials,
]
const id = '01990000-0000-7000-8000-000000000014'
const loaded: LoadedAccount = {
  provider: doku,
  account: { id, mode: 'live', credentials: present, baseUrl: null },
  callbackRules: {
    ...noCallbackRules,
    previousCredentials: [
      { credentials: second, replacedAt: now, validUntil: later(48 * 3_600_000) },
      { credentials: first, replacedAt: later(-1), validUntil: later(600_000) },
    ],
  },
}

function notification(issuer: Credentials, signer: Credentials, at: Date) {
  const path = `/v1/callbacks/doku/${id}/v1.0/qr/qr-mpm-notify`
  const body = Buffer.from('{"originalPartnerReferenceNo":"GP1"}')
  const timestamp = at.toISOString()
  const token = issueToken({ id, credentials: issuer }, at)
  return {
    path,
    body,
    receivedAt: at,
    headers: {
      authorization: `Bearer ${token}`,
      'x-timestamp': timestamp,
      'x-signature': transactionSignature(signer.secret_key, token, { path, body, timestamp }),
    },
  }
}
const verified = (issuer: Credentials, signer: Credentials, at: Date) => {
  const verification = verifyWithValidCredentials(loaded, notification(issuer, signer, at))
  return verification.verified ? (verification.replacedAt ?? 'present') : verification.reason
}

test.each([
  ['present', present, present, 'present'],
  ['previous', second, second, now],
  ['earlier', first, first, later(-1)],
  ['a previous token under the present secret', second, present, 'present'],
  ['a present token under a previous secret', present, first, later(-1)],
  ['tokens of two previous generations', first, second, now],
])(
  'a callback is verified if its token and signature use the current credentials or replaced credentials that have not expired: %s',
  (_, issuer, signer, expected) => {
    expect(verified(issuer, signer, now)).toEqual(expected)
  },
)

test('a callback is rejected if its token or signature uses replaced credentials that have expired', () => {
  const at = later(600_000)
  expect(verified(first, first, at)).toMatch(/X-SIGNATURE/)
  expect(verified(first, present, at)).toMatch(/X-SIGNATURE/)
  expect(verified(present, first, at)).toMatch(/X-SIGNATURE/)
  expect(verified(second, present, at)).toBe('present')
})

test('a callback without valid credentials is rejected with the reason why the current credentials do not match', () => {
  const verifyCallback: typeof doku.verifyCallback = ({ credentials }) => ({
    verified: false,
    reason: credentials.secret_key === 'present' ? 'X-SIGNATURE is wrong' : 'X-TIMESTAMP is wrong',
  })
  const request = notification(credentialsWith('stranger'), present, now)
  expect(verifyWithValidCredentials({ ...loaded, provider: { ...doku, verifyCallback } }, request)).toEqual({
    verified: false,
    reason: 'X-SIGNATURE is wrong',
  })
})
