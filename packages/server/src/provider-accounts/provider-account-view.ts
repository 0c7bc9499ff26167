import { z } from 'zod'
import { modes } from '../mode.ts'
import type { ProviderAccountRecord } from './provider-account.sql.ts'

/** What is shown of an account, and what the audit log says of it: everything but its credentials. */
export const providerAccountView = z
  .strictObject({
    id: z.uuid(),
    provider_code: z.string().meta({ example: 'midtrans' }),
    mode: z.enum(modes),
    name: z.string().meta({ example: 'Midtrans of PT Toko Budi' }),
    base_url: z.string().nullable().meta({ description: "null: the provider's own host for the mode" }),
    enabled: z.boolean().meta({ description: 'A disabled account gets no new payments' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ProviderAccount' })

export const viewProviderAccount = (
  account: ProviderAccountRecord,
): z.output<typeof providerAccountView> => ({
  id: account.id,
  provider_code: account.providerCode,
  mode: account.mode,
  name: account.name,
  base_url: account.baseUrl,
  enabled: account.enabled,
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
})
