import { hash } from '@node-rs/argon2'

/**
 * Hashes the password of a test user with the smallest parameters. The parameters are part of the hash, so a log-in
 * checks it by the ordinary code, but in less than a millisecond instead of 40.
 */
export const weakHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
