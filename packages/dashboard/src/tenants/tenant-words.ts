import type { Role, TenantStatus, Tier } from '@gapura/server/tenant'
import type { Outputs } from '../api/trpc.ts'
import { words } from '../language/language.tsx'

export type Tenant = Outputs['tenants']['get']

export const roleWords = words({
  en: { owner: 'Owner', partner: 'Partner', client: 'Client' },
  id: { owner: 'Pemilik', partner: 'Mitra', client: 'Klien' },
} satisfies Record<'en' | 'id', Record<Role, string>>)

export const tierWords = words({
  en: { starter: 'Starter', growth: 'Growth', enterprise: 'Enterprise' },
  id: { starter: 'Starter', growth: 'Growth', enterprise: 'Enterprise' },
} satisfies Record<'en' | 'id', Record<Tier, string>>)

export const tenantStatusWords = words({
  en: { active: 'Active', suspended: 'Suspended' },
  id: { active: 'Aktif', suspended: 'Ditangguhkan' },
} satisfies Record<'en' | 'id', Record<TenantStatus, string>>)
