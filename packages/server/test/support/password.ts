import { hash } from '@node-rs/argon2'

/**
 * Hashes a test user's password with the cheapest parameters. The hash contains its parameters, so the
 * ordinary login code can check the password. This check takes less than a millisecond instead of 40 ms.
 */
export const weakHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
