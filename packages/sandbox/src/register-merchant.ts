import { z } from 'zod'
import type { Sandbox } from './provider.ts'

export const registration = z.object({
  provider: z.string().min(1),
  credentials: z.record(z.string(), z.string().min(1)),
  notification_url: z.url({ protocol: /^https?$/ }).nullish(),
})

/**
 * Registers a merchant, as on a provider's dashboard. Registering a merchant again replaces the first registration.
 */
export function registerMerchant(
  sandbox: Sandbox,
  { provider: code, credentials, notification_url }: z.infer<typeof registration>,
): { issued: Record<string, string> } | { field: string; message: string } {
  const provider = sandbox.providers.find(candidate => candidate.code === code)
  if (!provider) {
    const known = sandbox.providers.map(candidate => candidate.code).join(', ')
    return { field: 'provider', message: `provider: must be one of ${known} (got ${code})` }
  }
  const registered = provider.register(sandbox, credentials)
  if ('refused' in registered) return { field: 'credentials', message: `credentials: ${registered.refused}` }
  const { id, issued } = registered
  sandbox.merchants.save({
    provider: code,
    id,
    credentials: { ...credentials, ...issued },
    notificationUrl: notification_url ?? null,
  })
  return { issued }
}
