import { z } from 'zod'
import type { Provider } from './providers.ts'

/**
 * Returns a form schema that only checks that the required credentials are present. The server validates the values
 * with the schema of the provider's adapter.
 */
export const credentialsInput = ({ credentials: { properties, required } }: Provider) =>
  z.object(
    Object.fromEntries(
      Object.keys(properties).map(name => [
        name,
        required.includes(name) ? z.string().trim().min(1) : z.string(),
      ]),
    ),
  )
