// Creates passkeys as a browser does, so that the service can be tested without a browser.

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'

const USER_PRESENT_AND_CREDENTIAL_INCLUDED = 0x41

/**
 * Returns what a browser sends to register a passkey, in response to the options that the service sent to
 * start the registration.
 */
export function registerPasskey({
  challenge,
  origin,
}: {
  challenge: string
  origin: string
}): RegistrationResponseJSON {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  const id = randomBytes(16)
  const bytesOf = (coordinate: string) => Buffer.from(coordinate, 'base64url')
  // The public key in CBOR: a map with the key type 2 (EC2), the algorithm -7 (ES256), the curve 1 (P-256),
  // and the coordinates x and y
  const publicKey = [
    Buffer.from('a5010203262001215820', 'hex'),
    bytesOf(x),
    Buffer.from('225820', 'hex'),
    bytesOf(y),
  ]
  const authData = Buffer.concat([
    createHash('sha256').update(new URL(origin).hostname).digest(),
    Buffer.from([USER_PRESENT_AND_CREDENTIAL_INCLUDED, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    ...publicKey,
  ])
  // The passkey's attestation, encoded in CBOR (a binary format): the map { fmt: 'none', attStmt: {},
  // authData }
  const attestation = Buffer.concat([
    ...[Buffer.from([0xa3, 0x63]), Buffer.from('fmt'), Buffer.from([0x64]), Buffer.from('none')],
    ...[Buffer.from([0x67]), Buffer.from('attStmt'), Buffer.from([0xa0])],
    ...[Buffer.from([0x68]), Buffer.from('authData'), Buffer.from([0x58, authData.length])],
    authData,
  ])
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(
        JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }),
      ).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
  }
}
