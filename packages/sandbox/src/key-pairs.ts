import { generateKeyPairSync } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

/** A key pair in PEM format: the public key as SPKI and the private key as PKCS #8. */
export type KeyPair = { publicKey: string; privateKey: string }

// Stores the key pairs of the simulated providers, because a provider's key must stay the same after a restart:
// merchants configure its public key.
const schema = `
  create table if not exists key_pairs (
    provider text primary key,
    public_key text not null,
    private_key text not null
  ) strict, without rowid;
`

/**
 * Returns the provider's key pair. It is created only when first needed, because creating it takes longer than
 * starting the sandbox.
 */
export function keyPairs(db: DatabaseSync): (provider: string) => KeyPair {
  db.exec(schema)
  const find = db.prepare('select public_key, private_key from key_pairs where provider = ?')
  const insert = db.prepare('insert into key_pairs (provider, public_key, private_key) values (?, ?, ?)')
  const known = new Map<string, KeyPair>()

  function kept(provider: string): KeyPair | undefined {
    const row = find.get(provider)
    return row && { publicKey: row.public_key as string, privateKey: row.private_key as string }
  }

  function made(provider: string): KeyPair {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    insert.run(provider, pair.publicKey, pair.privateKey)
    return pair
  }

  return provider => {
    const pair = known.get(provider) ?? kept(provider) ?? made(provider)
    known.set(provider, pair)
    return pair
  }
}
