import { hash } from '@node-rs/argon2'

/**
 * Hashes a test user's password with the cheapest parameters, so that a password check takes less than a millisecond
 * instead of 40 ms. The ordinary login code can check the hash, because the hash contains its parameters.
 */
export const weakHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
