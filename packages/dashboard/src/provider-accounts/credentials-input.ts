import { z } from 'zod'
import type { Provider } from './providers.ts'

/** What a form asks of credentials; whether they hold, the provider's own schema says on the server. */
export const credentialsInput = ({ credentials: { properties, required } }: Provider) =>
  z.object(
    Object.fromEntries(
      Object.keys(properties).map(name => [
        name,
        required.includes(name) ? z.string().trim().min(1, 'must not be empty') : z.string(),
      ]),
    ),
  )
