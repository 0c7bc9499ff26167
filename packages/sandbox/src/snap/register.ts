import { createPublicKey } from 'node:crypto'
import type { Sandbox } from '../provider.ts'

/** Registers the merchant's public key and returns the provider's public key. */
export function registeredKeys(
  sandbox: Sandbox,
  provider: string,
  credentials: Record<string, string>,
  needed: readonly string[],
): { id: string; issued: Record<string, string> } | { refused: string } {
  for (const name of [...needed, 'public_key']) {
    if (!credentials[name]) return { refused: `${name} is required` }
  }
  const { client_id: id = '', public_key: publicKey = '' } = credentials
  if (!isRsaPublicKey(publicKey)) return { refused: 'public_key must be an RSA public key in PEM format' }
  return { id, issued: { provider_public_key: sandbox.keyPairOf(provider).publicKey } }
}

/**
 * Rejects private keys. Node can derive the public key from a private key, so without this check the sandbox
 * would accept and store the private key.
 */
function isRsaPublicKey(pem: string): boolean {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return false
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
