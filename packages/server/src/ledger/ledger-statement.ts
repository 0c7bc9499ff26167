// A ledger statement is a signed hash over the heads of all balances. The head of a balance is its last seal (a
// hash of its entries). If an attacker rewrites the ledger and its seals, a copy of the statement outside the
// database reveals the change. Statements are signed with the same keys as access tokens but have a different token
// type.

import { decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { KeyRing } from '../auth/tokens/token.ts'

const TYPE = 'gapura-ledger-statement+jwt'

/**
 * The content of a signed ledger statement. The statement covers the ledger entries that were sealed (hashed)
 * in all sealing rounds before `round`. `root` is the root of the Merkle tree (merkle.ts) over the head (last
 * seal) of each balance, sorted by tenant and mode.
 */
export type LedgerStatement = { round: bigint; root: Buffer; statedAt: Date }

const claims = z.object({
  iat: z.int(),
  round: z.string().regex(/^\d{1,19}$/),
  root: z.string().regex(/^[0-9a-f]{64}$/),
})

export function signLedgerStatement(
  ring: KeyRing,
  { round, root, statedAt }: LedgerStatement,
): Promise<string> {
  const key = ring.keys[0]
  if (!key) throw new Error('there is no signing key')
  return new SignJWT({ round: round.toString(), root: root.toString('hex') })
    .setProtectedHeader({ alg: 'RS256', typ: TYPE, kid: key.kid })
    .setIssuer(ring.issuer)
    .setIssuedAt(statedAt)
    .sign(key.privateKey)
}

/**
 * Verifies and parses a signed ledger statement. Throws an error if it was not signed with one of `keys` or if its
 * contents are not those of a statement.
 */
export async function verifyLedgerStatement(keys: JWK[], statement: string): Promise<LedgerStatement> {
  const { kid } = decodeProtectedHeader(statement)
  const jwk = keys.find(key => key.kid === kid)
  if (!jwk) throw new Error(`the key ${kid} that signed the statement is unknown`)
  const { payload } = await jwtVerify(statement, await importJWK(jwk, 'RS256'), {
    algorithms: ['RS256'],
    typ: TYPE,
  })
  const { iat, round, root } = claims.parse(payload)
  return { round: BigInt(round), root: Buffer.from(root, 'hex'), statedAt: new Date(iat * 1_000) }
}
