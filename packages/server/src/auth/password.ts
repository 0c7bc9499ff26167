// Passwords: argon2id with the parameters OWASP's password storage sheet gives (19 MiB, 2 passes, 1 lane).

import { hash, verify } from '@node-rs/argon2'
import { atMost } from '../at-most.ts'

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each takes a thread for some 40 ms. Only users who have proven who they are set a password. */
const whileFew = atMost(32, 'too many passwords are being set')

export const hashPassword = (password: string): Promise<string> => whileFew(() => hash(password, parameters))

/** A hash of nothing anybody knows, so that an unknown address takes as long as a wrong password. */
const nobody = hashPassword(crypto.randomUUID())

export async function passwordHolds(passwordHash: string | undefined, password: string): Promise<boolean> {
  const holds = await verify(passwordHash ?? (await nobody), password)
  return holds && passwordHash !== undefined
}
