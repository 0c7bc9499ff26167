// Who a tenant is and whom it manages: the Owner everybody, a Partner the Clients below it. A Client manages
// nobody, but looks after its own keys.

export const roles = ['owner', 'partner', 'client'] as const
export type Role = (typeof roles)[number]

/** In ascending order. */
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

/** As the database keeps it. */
export type TenantRecord = Tenant & { createdAt: Date; updatedAt: Date }

/** A user who manages; null: the operator's own command on the server, which may do all that the Owner may. */
export type Manager = { tenantId: string; userId: string; role: Role; tier: Tier } | null

/** What of a caller decides which tenants it sees. */
export type Viewer = { tenantId: string; role: Role } | null

/** Any other tenant does not exist for the caller. */
export const sees = (viewer: Viewer, tenant: Tenant): boolean =>
  manages(viewer, tenant) || tenant.id === viewer?.tenantId

export const manages = (viewer: Viewer, tenant: Tenant): boolean =>
  viewer === null || viewer.role === 'owner' || tenant.parentId === viewer.tenantId

export const isAbove = (tier: Tier, limit: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(limit)
