// Hashes passwords with argon2id and the parameters from OWASP's password storage cheat sheet (19 MiB of memory, 2
// iterations, 1 thread).

import { hash, verify } from '@node-rs/argon2'

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/**
 * The hash of a random password. It is used for email addresses that no user has, so that checking their password takes
 * as long as checking a wrong password.
 */
const unknownUserHash = hashPassword(crypto.randomUUID())

export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const holds = await verify(passwordHash ?? (await unknownUserHash), password)
  return holds && passwordHash !== undefined
}
