// Passwords: argon2id with the parameters OWASP's password storage sheet gives (19 MiB, 2 passes, 1 lane).

import { hash, verify } from '@node-rs/argon2'
import { atMost } from '../at-most.ts'

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Each takes a thread for some 40 ms, and there are four, which also look up names for webhooks: who comes when so many
 * wait is told to come again.
 */
const withThread = atMost(64, 'too many passwords are being checked')

export const hashPassword = (password: string): Promise<string> =>
  withThread(() => hash(password, parameters))

/** A hash of nothing anybody knows, so that an unknown address takes as long as a wrong password. */
const nobody = hashPassword(crypto.randomUUID())

export async function passwordHolds(passwordHash: string | undefined, password: string): Promise<boolean> {
  const holds = await withThread(async () => verify(passwordHash ?? (await nobody), password))
  return holds && passwordHash !== undefined
}
