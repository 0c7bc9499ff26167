// Who a tenant is and whom it may see.

export const roles = ['owner', 'partner', 'client'] as const
export type Role = (typeof roles)[number]

export const tiers = ['starter', 'growth', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

/** Of each API key, a second; twice as many may come in a burst. */
export const requestsPerSecond: Record<Tier, number> = { starter: 50, growth: 200, enterprise: 2_000 }

export type Tenant = {
  id: string
  role: Role
  tier: Tier
  name: string
  parentId: string | null
  status: 'active' | 'suspended'
}
