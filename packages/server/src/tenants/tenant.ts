// Tenants and the tenants they manage. The Owner manages all tenants, a Partner manages its Clients, and a Client
// manages no other tenant.

import type { Cents } from '../values/money.ts'

export const roles = ['owner', 'partner', 'client'] as const
export type Role = (typeof roles)[number]

/** The tenant tiers, in ascending order. */
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

export type TenantRecord = Tenant &
  SecuritySettings & {
    /** Whether the Owner suspended the tenant. Only the Owner can reactivate it then. False if the tenant is active. */
    suspendedByOwner: boolean
    createdAt: Date
    updatedAt: Date
  }

export type SecuritySettings = {
  /** Whether every user of the tenant must have a second factor. */
  secondFactorRequired: boolean
  /** The total that users may refund for one payment without a recent second-factor confirmation. */
  refundProofAbove: Cents
}

/**
 * The user who performs a management action. Null if the operator runs a command on the server. Such a
 * command has all permissions of the Owner.
 */
export type Manager = { tenantId: string; userId: string; role: Role; tier: Tier } | null

/** The properties of the caller that determine which tenants the caller can see. */
export type Viewer = { tenantId: string; role: Role } | null

/** Returns whether the viewer can see the tenant. If not, responses must not reveal that the tenant exists. */
export const sees = (viewer: Viewer, tenant: Tenant): boolean =>
  manages(viewer, tenant) || tenant.id === viewer?.tenantId

export const manages = (viewer: Viewer, tenant: Tenant): boolean =>
  viewer === null || viewer.role === 'owner' || tenant.parentId === viewer.tenantId

export const isAbove = (tier: Tier, limit: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(limit)
