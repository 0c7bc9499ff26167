// Tenants and their API keys, users, entitlements and routing rules. The Owner makes these calls for any tenant, and a
// Partner for its Clients. A tenant can make some of these calls for itself.

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
  revokeApiKey,
  rotateApiKey,
  setEntitlements,
  setRoutingRules,
  updateTenant,
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
  UpdateTenantBody,
  User,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** Tenants. The Owner manages all tenants; a Partner manages its Clients. */
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
   * Creates a tenant. A Partner can create a Client; the Owner can create any tenant.
   *
   * @example
   * const { id } = await gapura.tenants.create({ name: 'Toko Budi' })
   */
  create(body: Loose<CreateTenantBody>, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.once(createTenant, { body }, options)
  }

  /**
   * Returns a tenant that the caller manages, or the caller's own tenant.
   *
   * @example
   * const { status } = await gapura.tenants.get(tenantId)
   */
  get(id: string, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.repeatable(getTenant, { path: { tenant_id: id } }, options)
  }

  /**
   * Changes the fields of a tenant that the request contains. All other fields stay unchanged.
   *
   * @example
   * await gapura.tenants.update(tenantId, { status: 'suspended' })
   */
  update(id: string, body: Loose<UpdateTenantBody>, options?: CallOptions): ApiPromise<Tenant> {
    return this.call.once(updateTenant, { path: { tenant_id: id }, body }, options)
  }
}

/** The API keys of a tenant. */
export class ApiKeysResource extends Resource {
  /**
   * Lists the API keys of a tenant, including keys that are revoked or have expired. To list its own keys, a tenant
   * uses `account.listApiKeys`.
   *
   * @example
   * const { items } = await gapura.apiKeys.list(tenantId)
   */
  list(tenantId: string, query: QueryOf<ListApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> {
    return pagesOf(this.call, listApiKeys, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Creates an API key. Store the returned `key`: no other response contains it.
   *
   * @example
   * const { key } = await gapura.apiKeys.create(tenantId, { name: 'web shop', mode: 'test' })
   */
  create(tenantId: string, body: Loose<CreateApiKeyBody>, options?: CallOptions): ApiPromise<NewApiKey> {
    return this.call.once(createApiKey, { path: { tenant_id: tenantId }, body }, options)
  }

  /**
   * Creates an API key with the same name and mode as an existing one. The existing key works for another
   * `grace_minutes` minutes (default 0). Throws `ConflictError` if the existing key is revoked or was already rotated.
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
   * Creates a user who can log in for a tenant. Throws `ConflictError` if the email address is already in use.
   *
   * @example
   * await gapura.users.create(tenantId, { email: 'budi@example.com', password })
   */
  create(tenantId: string, body: CreateUserBody, options?: CallOptions): ApiPromise<User> {
    return this.call.once(createUser, { path: { tenant_id: tenantId }, body }, options)
  }
}

/** The provider accounts that a tenant may use. */
export class EntitlementsResource extends Resource {
  /**
   * Returns the provider accounts that a tenant may use, in the order in which they are tried.
   *
   * @example
   * const { items } = await gapura.entitlements.get(tenantId)
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<Entitlements> {
    return this.call.repeatable(getEntitlements, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Replaces all entitlements of a tenant. Routing rules for an account that is no longer included are removed.
   *
   * @example
   * await gapura.entitlements.set(tenantId, [{ provider_account_id: accountId, priority: 1 }])
   */
  set(tenantId: string, items: EntitlementInput[], options?: CallOptions): ApiPromise<Entitlements> {
    return this.call.once(setEntitlements, { path: { tenant_id: tenantId }, body: { items } }, options)
  }
}

/** The rules that select a provider account for each payment of a tenant. */
export class RoutingRulesResource extends Resource {
  /**
   * Returns a tenant's routing rules in the order in which they apply.
   *
   * @example
   * const { items } = await gapura.routingRules.get(tenantId)
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<RoutingRules> {
    return this.call.repeatable(getRoutingRules, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Replaces all routing rules of a tenant.
   *
   * @example
   * await gapura.routingRules.set(tenantId, [
   *   { method_type: 'virtual_account', provider_account_id: accountId },
   * ])
   */
  set(tenantId: string, items: RoutingRuleInput[], options?: CallOptions): ApiPromise<RoutingRules> {
    return this.call.once(setRoutingRules, { path: { tenant_id: tenantId }, body: { items } }, options)
  }

  /**
   * Returns the provider accounts that would be tried for a payment like this one now, in order. No payment is created.
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
