// Tenants, and which tenants they manage: the Owner manages all tenants, and a Partner its own Clients. A Client
// manages no tenants, only its own keys.

export const roles = ['owner', 'partner', 'client'] as const
export type Role = (typeof roles)[number]

/** The tiers in ascending order. */
export const tiers = ['starter', 'growth', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

export const tenantStatuses = ['active', 'suspended'] as const
export type TenantStatus = (typeof tenantStatuses)[number]

export type Tenant = {
  id: string
  role: Role
  tier: Tier
  name: string
  parentId: string | null
  status: TenantStatus
}

/** A tenant as stored in the database. */
export type TenantRecord = Tenant & { createdAt: Date; updatedAt: Date }

/**
 * The user who performs a management action. Null means that the operator runs a command on the server, which may do
 * everything that the Owner may.
 */
export type Manager = { tenantId: string; userId: string; role: Role; tier: Tier } | null

/** The part of a caller that determines which tenants it can see. */
export type Viewer = { tenantId: string; role: Role } | null

/** Returns whether the viewer can see the tenant. For a caller who cannot see it, the tenant does not exist. */
export const sees = (viewer: Viewer, tenant: Tenant): boolean =>
  manages(viewer, tenant) || tenant.id === viewer?.tenantId

export const manages = (viewer: Viewer, tenant: Tenant): boolean =>
  viewer === null || viewer.role === 'owner' || tenant.parentId === viewer.tenantId

export const isAbove = (tier: Tier, limit: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(limit)
