// Request limits, managed only by the Owner (the service's operator). A tenant's own limits override those of its
// tier.

import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  getTenantLimits,
  listTierLimits,
  resetTenantLimits,
  resetTierLimits,
  updateTenantLimits,
  updateTierLimits,
} from './generated/operations.gen.ts'
import type {
  TenantLimits,
  TierLimits,
  TierLimitsList,
  UpdateTenantLimitsBody,
  UpdateTierLimitsBody,
} from './generated/types.gen.ts'
import type { Loose } from './operation.ts'
import { Resource } from './resource.ts'

/** Request limits for tiers and individual tenants. Only for the Owner (the service's operator). */
export class LimitsResource extends Resource {
  /**
   * Lists every tier's limits.
   *
   * @example
   * const { items } = await gapura.limits.listTiers()
   */
  listTiers(options?: CallOptions): ApiPromise<TierLimitsList> {
    return this.call.repeatable(listTierLimits, {}, options)
  }

  /**
   * Changes a tier's limits. A limit set to null returns to its default value. Limits that the request omits
   * stay unchanged.
   *
   * @example
   * await gapura.limits.updateTier('starter', { requests_per_second: 80 })
   */
  updateTier(
    tier: TierLimits['tier'],
    body: Loose<UpdateTierLimitsBody>,
    options?: CallOptions,
  ): ApiPromise<TierLimits> {
    return this.call.once(updateTierLimits, { path: { tier }, body }, options)
  }

  /**
   * Resets all request limits of a tier to the defaults.
   *
   * @example
   * await gapura.limits.resetTier('starter')
   */
  resetTier(tier: TierLimits['tier'], options?: CallOptions): ApiPromise<TierLimits> {
    return this.call.once(resetTierLimits, { path: { tier } }, options)
  }

  /**
   * Returns the limits that apply to a tenant. Each limit shows its source: the tenant, the tier or the
   * default.
   *
   * @example
   * const { requests_per_second } = await gapura.limits.getTenant(tenantId)
   */
  getTenant(tenantId: string, options?: CallOptions): ApiPromise<TenantLimits> {
    return this.call.repeatable(getTenantLimits, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Changes a tenant's limits. A limit set to null returns to the limit of the tenant's tier. Limits that the request
   * omits stay unchanged.
   *
   * @example
   * await gapura.limits.updateTenant(tenantId, { requests_per_second: 200, burst_seconds: null })
   */
  updateTenant(
    tenantId: string,
    body: Loose<UpdateTenantLimitsBody>,
    options?: CallOptions,
  ): ApiPromise<TenantLimits> {
    return this.call.once(updateTenantLimits, { path: { tenant_id: tenantId }, body }, options)
  }

  /**
   * Resets all of a tenant's limits to those of its tier.
   *
   * @example
   * await gapura.limits.resetTenant(tenantId)
   */
  resetTenant(tenantId: string, options?: CallOptions): ApiPromise<TenantLimits> {
    return this.call.once(resetTenantLimits, { path: { tenant_id: tenantId } }, options)
  }
}
