// Tenants and their API keys, users, entitlements (the provider accounts a tenant may use) and routing rules. The Owner
// (the service's operator) can make these calls for any tenant, and a Partner (a reseller) for its Clients (merchants).
// Some calls are also open to the tenant itself.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  createApiKey,
  createTenant,
  createUser,
  getEntitlements,
  getRoutingRules,
  getTenant,
  listApiKeys,
  listTenants,
  listUsers,
  previewRoute,
  removeUser,
  resendInvitation,
  resetSecondFactor,
  revokeApiKey,
  rotateApiKey,
  setEntitlements,
  setRoutingRules,
  updateApiKey,
  updateTenant,
  updateUser,
} from './generated/operations.gen.ts'
import type {
  ApiKey,
  CreateApiKeyBody,
  CreateTenantBody,
  CreateUserBody,
  EntitlementInput,
  Entitlements,
  ListApiKeysData,
  ListTenantsData,
  ListUsersData,
  NewApiKey,
  PreviewRouteData,
  RotateApiKeyBody,
  RoutePreview,
  RoutingRuleInput,
  RoutingRules,
  Tenant,
  UpdateApiKeyBody,
  UpdateTenantBody,
  UpdateUserBody,
  User,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * Tenants. The Owner (the service operator's tenant) manages all tenants. A Partner (a reseller) manages its
 * Clients (merchants).
 */
export class TenantsResource extends Resource {
  /**
   * Lists the tenants that the caller manages, newest first.
   *
   * @example
   * for await (const { id, name } of gapura.tenants.list()) console.log(id, name)
   */
  list(query: QueryOf<ListTenantsData> = {}, options?: CallOptions): PagePromise<Tenant> {
    return pagesOf(this.call, listTenants, { query }, options)
  }

  /**
   * Creates a tenant. A Partner (a reseller) can create a Client (a merchant). The Owner (the service's
   * operator) can create any tenant.
   *
   * @example
   * const { id } = await gapura.tenants.create({ name: 'Toko Budi' })
   */
  create(body: Loose<CreateTenantBody>, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.once(createTenant, { body }, options)
  }

  /**
   * Returns the caller's own tenant or a tenant the caller manages.
   *
   * @example
   * const { status } = await gapura.tenants.get(tenantId)
   */
  get(id: string, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.repeatable(getTenant, { path: { tenant_id: id } }, options)
  }

  /**
   * Changes a tenant's fields. Omitted fields keep their values.
   *
   * @example
   * await gapura.tenants.update(tenantId, { status: 'suspended' })
   */
  update(id: string, body: Loose<UpdateTenantBody>, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.once(updateTenant, { path: { tenant_id: id }, body }, options)
  }
}

/** A tenant's API keys. */
export class ApiKeysResource extends Resource {
  /**
   * Lists a tenant's API keys, including revoked and expired keys. To list your own keys, call
   * `account.listApiKeys`.
   *
   * @example
   * const { items } = await gapura.apiKeys.list(tenantId)
   */
  list(tenantId: string, query: QueryOf<ListApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> {
    return pagesOf(this.call, listApiKeys, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Creates an API key. Store the returned `key`, because no other response contains it.
   *
   * @example
   * const { key } = await gapura.apiKeys.create(tenantId, { name: 'web shop', mode: 'test' })
   */
  create(tenantId: string, body: Loose<CreateApiKeyBody>, options?: CallOptions): ApiPromise<NewApiKey> {
    return this.call.once(createApiKey, { path: { tenant_id: tenantId }, body }, options)
  }

  /**
   * Changes an API key's scopes (allowed operations) or allowed IP addresses.
   *
   * @example
   * await gapura.apiKeys.update(tenantId, keyId, { allowed_ips: ['203.0.113.0/24'] })
   */
  update(
    tenantId: string,
    keyId: string,
    body: Loose<UpdateApiKeyBody>,
    options?: CallOptions,
  ): ApiPromise<ApiKey> {
    return this.call.once(updateApiKey, { path: { tenant_id: tenantId, key_id: keyId }, body }, options)
  }

  /**
   * Creates an API key with the name and mode (live or test) of an existing key. The existing key works for
   * another `grace_minutes` minutes (default 0). Throws `ConflictError` if the existing key is revoked or was
   * already rotated.
   *
   * @example
   * const { key } = await gapura.apiKeys.rotate(tenantId, keyId, { grace_minutes: 60 })
   */
  rotate(
    tenantId: string,
    keyId: string,
    body: Loose<RotateApiKeyBody> = {},
    options?: CallOptions,
  ): ApiPromise<NewApiKey> {
    return this.call.once(rotateApiKey, { path: { tenant_id: tenantId, key_id: keyId }, body }, options)
  }

  /**
   * Revokes an API key permanently. The revocation takes effect within one second.
   *
   * @example
   * await gapura.apiKeys.revoke(tenantId, keyId)
   */
  revoke(tenantId: string, keyId: string, options?: CallOptions): ApiPromise<ApiKey> {
    return this.call.once(revokeApiKey, { path: { tenant_id: tenantId, key_id: keyId } }, options)
  }
}

/** The users who can log in for a tenant. */
export class UsersResource extends Resource {
  /**
   * Lists the users who can log in for a tenant.
   *
   * @example
   * const { items } = await gapura.users.list(tenantId)
   */
  list(tenantId: string, query: QueryOf<ListUsersData> = {}, options?: CallOptions): PagePromise<User> {
    return pagesOf(this.call, listUsers, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Creates a user in a tenant. If the request contains no password, the service emails the user an invitation.
   * Throws `ConflictError` if the email address is already in use.
   *
   * @example
   * await gapura.users.create(tenantId, { email: 'budi@example.com', permissions: ['finance'] })
   */
  create(tenantId: string, body: Loose<CreateUserBody>, options?: CallOptions): ApiPromise<User> {
    return this.call.once(createUser, { path: { tenant_id: tenantId }, body }, options)
  }

  /**
   * Changes a user's permissions or status. Throws `ConflictError` if the change would leave the tenant
   * without an active admin.
   *
   * @example
   * await gapura.users.update(tenantId, userId, { status: 'disabled' })
   */
  update(
    tenantId: string,
    userId: string,
    body: Loose<UpdateUserBody>,
    options?: CallOptions,
  ): ApiPromise<User> {
    return this.call.once(updateUser, { path: { tenant_id: tenantId, user_id: userId }, body }, options)
  }

  /**
   * Removes a user or an invitation. All of the user's sessions end.
   *
   * @example
   * await gapura.users.remove(tenantId, userId)
   */
  remove(tenantId: string, userId: string, options?: CallOptions): ApiPromise<{ removed: true }> {
    return this.call.once(removeUser, { path: { tenant_id: tenantId, user_id: userId } }, options)
  }

  /**
   * Removes all second factors of a user who has lost them, and ends the user's sessions.
   *
   * @example
   * await gapura.users.resetSecondFactor(tenantId, userId)
   */
  resetSecondFactor(tenantId: string, userId: string, options?: CallOptions): ApiPromise<{ reset: true }> {
    return this.call.once(resetSecondFactor, { path: { tenant_id: tenantId, user_id: userId } }, options)
  }

  /**
   * Emails a new invitation to a user who has not accepted one yet. The link in the previous invitation stops
   * working.
   *
   * @example
   * await gapura.users.resendInvitation(tenantId, userId)
   */
  resendInvitation(tenantId: string, userId: string, options?: CallOptions): ApiPromise<User> {
    return this.call.once(resendInvitation, { path: { tenant_id: tenantId, user_id: userId } }, options)
  }
}

/** The provider accounts a tenant may use. */
export class EntitlementsResource extends Resource {
  /**
   * Returns the provider accounts a tenant may use, in the order in which the service tries them if no routing
   * rule matches.
   *
   * @example
   * const { items } = await gapura.entitlements.get(tenantId)
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<Entitlements> {
    return this.call.repeatable(getEntitlements, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Replaces all of a tenant's entitlements (the provider accounts it may use). If an account is no longer
   * included, its routing rules are removed.
   *
   * @example
   * await gapura.entitlements.set(tenantId, [{ provider_account_id: accountId, priority: 1 }])
   */
  set(tenantId: string, items: Loose<EntitlementInput>[], options?: CallOptions): ApiPromise<Entitlements> {
    // The type cast is safe. A field with the value undefined is not sent, because JSON.stringify omits it.
    const body = { items: items as EntitlementInput[] }
    return this.call.once(setEntitlements, { path: { tenant_id: tenantId }, body }, options)
  }
}

/** The rules that select a provider account for each of a tenant's payments. */
export class RoutingRulesResource extends Resource {
  /**
   * Returns a tenant's routing rules in the order they apply.
   *
   * @example
   * const { items } = await gapura.routingRules.get(tenantId)
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<RoutingRules> {
    return this.call.repeatable(getRoutingRules, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Replaces all of a tenant's routing rules.
   *
   * @example
   * await gapura.routingRules.set(tenantId, [
   *   { method_type: 'virtual_account', provider_account_id: accountId },
   * ])
   */
  set(tenantId: string, items: Loose<RoutingRuleInput>[], options?: CallOptions): ApiPromise<RoutingRules> {
    // Casting the items to RoutingRuleInput is safe, because JSON.stringify omits fields that are undefined.
    const body = { items: items as RoutingRuleInput[] }
    return this.call.once(setRoutingRules, { path: { tenant_id: tenantId }, body }, options)
  }

  /**
   * Returns the provider accounts the service would try for a payment now, in order. No payment is created.
   *
   * @example
   * const { items } = await gapura.routingRules.preview(tenantId, {
   *   mode: 'live',
   *   method_type: 'virtual_account',
   *   channel: 'bca',
   *   amount: 10_000_000,
   * })
   */
  preview(
    tenantId: string,
    query: QueryOf<PreviewRouteData>,
    options?: CallOptions,
  ): ApiPromise<RoutePreview> {
    return this.call.repeatable(previewRoute, { path: { tenant_id: tenantId }, query }, options)
  }
}
