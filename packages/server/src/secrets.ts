// What the master key protects: secrets that we must read again are sealed, keys that we only compare are
// hashed. Two keys are derived from it, one for each use (HKDF, RFC 5869).

import { createHmac, hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

export type Secrets = {
  /** JWE, A256GCM. place: what the secret belongs to; it opens nowhere else. */
  seal(text: string, place: string): Promise<string>
  /** Throws where the seal is broken, or was made for another place or under another master key. */
  open(sealed: string, place: string): Promise<string>
  /** HMAC-SHA256. */
  hash(text: string): Buffer
}

export function deriveSecrets(masterKey: Buffer): Secrets {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', masterKey, '', `gapura ${use}`, 32))
  const sealing = derive('seal')
  const hashing = derive('hash')
  return {
    seal: (text, place) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', place })
        .encrypt(sealing),
    async open(sealed, place) {
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, sealing, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      if (protectedHeader.place !== place)
        throw new Error(`a secret sealed for ${protectedHeader.place} was found at ${place}`)
      return new TextDecoder().decode(plaintext)
    },
    hash: text => createHmac('sha256', hashing).update(text).digest(),
  }
}
