// Tenants, and which tenants a tenant manages. The Owner manages all tenants, a Partner manages its Clients, and a
// Client manages no other tenant.

import type { Cents } from '../values/money.ts'

export const roles = ['owner', 'partner', 'client'] as const
export type Role = (typeof roles)[number]

/** The tiers of tenants, in ascending order. */
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

export type TenantRecord = Tenant & SecuritySettings & { createdAt: Date; updatedAt: Date }

export type SecuritySettings = {
  /** Whether the tenant requires a second factor of every user. */
  secondFactorRequired: boolean
  /**
   * The limit on the total of users' refunds of one payment. If a user's refund would exceed this limit, the
   * user must have confirmed a second factor recently.
   */
  refundProofAbove: Cents
}

/**
 * The user who performs a management action. Null if the operator runs a command on the server. Such a
 * command may do everything that the Owner may do.
 */
export type Manager = { tenantId: string; userId: string; role: Role; tier: Tier } | null

/** The properties of a caller that determine which tenants the caller can see. */
export type Viewer = { tenantId: string; role: Role } | null

/**
 * Returns whether the viewer can see the tenant. If a caller cannot see a tenant, responses do not reveal that the
 * tenant exists.
 */
export const sees = (viewer: Viewer, tenant: Tenant): boolean =>
  manages(viewer, tenant) || tenant.id === viewer?.tenantId

export const manages = (viewer: Viewer, tenant: Tenant): boolean =>
  viewer === null || viewer.role === 'owner' || tenant.parentId === viewer.tenantId

export const isAbove = (tier: Tier, limit: Tier): boolean => tiers.indexOf(tier) > tiers.indexOf(limit)
