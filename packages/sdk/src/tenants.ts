// Tenants and what belongs to one: for the Owner, a Partner over its Clients, and a few for the tenant itself.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
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

export const tenantsOf = (call: Call) => ({
  /**
   * The tenants that the caller manages, newest first.
   *
   * @example
   * for await (const { id, name } of gapura.tenants.list()) console.log(id, name)
   */
  list: (query: QueryOf<ListTenantsData> = {}, options?: CallOptions): PagePromise<Tenant> =>
    pagesOf(call, listTenants, { query }, options),

  /**
   * Creates a Client, or for the Owner any tenant.
   *
   * @example
   * const { id } = await gapura.tenants.create({ name: 'Toko Budi' })
   */
  create: (body: Loose<CreateTenantBody>, options?: CallOptions): ApiPromise<Tenant> =>
    call.once(createTenant, { body }, options),

  /**
   * One that the caller manages, or the caller itself.
   *
   * @example
   * const { status } = await gapura.tenants.get(tenantId)
   */
  get: (id: string, options?: CallOptions): ApiPromise<Tenant> =>
    call.repeatable(getTenant, { path: { tenant_id: id } }, options),

  /**
   * Changes what is named; the rest stays.
   *
   * @example
   * await gapura.tenants.update(tenantId, { status: 'suspended' })
   */
  update: (id: string, body: Loose<UpdateTenantBody>, options?: CallOptions): ApiPromise<Tenant> =>
    call.once(updateTenant, { path: { tenant_id: id }, body }, options),
})

export const apiKeysOf = (call: Call) => ({
  /**
   * The keys of a tenant, those that no longer work among them. A tenant lists its own by `account.apiKeys`.
   *
   * @example
   * const { items } = await gapura.apiKeys.list(tenantId)
   */
  list: (
    tenantId: string,
    query: QueryOf<ListApiKeysData> = {},
    options?: CallOptions,
  ): PagePromise<ApiKey> => pagesOf(call, listApiKeys, { path: { tenant_id: tenantId }, query }, options),

  /**
   * Makes a key. `key` is in this answer and never again.
   *
   * @example
   * const { key } = await gapura.apiKeys.create(tenantId, { name: 'web shop', mode: 'test' })
   */
  create: (tenantId: string, body: Loose<CreateApiKeyBody>, options?: CallOptions): ApiPromise<NewApiKey> =>
    call.once(createApiKey, { path: { tenant_id: tenantId }, body }, options),

  /**
   * Makes a key of the same name and mode; the old one works for `grace_minutes` more (0).
   *
   * @example
   * const { key } = await gapura.apiKeys.rotate(tenantId, keyId, { grace_minutes: 60 })
   */
  rotate: (
    tenantId: string,
    keyId: string,
    body: Loose<RotateApiKeyBody> = {},
    options?: CallOptions,
  ): ApiPromise<NewApiKey> =>
    call.once(rotateApiKey, { path: { tenant_id: tenantId, key_id: keyId }, body }, options),

  /**
   * Ends a key within a second, for good.
   *
   * @example
   * await gapura.apiKeys.revoke(tenantId, keyId)
   */
  revoke: (tenantId: string, keyId: string, options?: CallOptions): ApiPromise<ApiKey> =>
    call.once(revokeApiKey, { path: { tenant_id: tenantId, key_id: keyId } }, options),
})

export const usersOf = (call: Call) => ({
  /**
   * Who logs in for a tenant.
   *
   * @example
   * const { items } = await gapura.users.list(tenantId)
   */
  list: (tenantId: string, query: QueryOf<ListUsersData> = {}, options?: CallOptions): PagePromise<User> =>
    pagesOf(call, listUsers, { path: { tenant_id: tenantId }, query }, options),

  /**
   * Lets somebody log in for a tenant.
   *
   * @example
   * await gapura.users.create(tenantId, { email: 'budi@example.com', password })
   */
  create: (tenantId: string, body: CreateUserBody, options?: CallOptions): ApiPromise<User> =>
    call.once(createUser, { path: { tenant_id: tenantId }, body }, options),
})

export const entitlementsOf = (call: Call) => ({
  /**
   * The provider accounts that a tenant may use, in the order in which they are tried.
   *
   * @example
   * const { items } = await gapura.entitlements.get(tenantId)
   */
  get: (tenantId: string, options?: CallOptions): ApiPromise<Entitlements> =>
    call.repeatable(getEntitlements, { path: { tenant_id: tenantId } }, options),

  /**
   * Replaces them all. Routing rules for an account that is left out go with it.
   *
   * @example
   * await gapura.entitlements.set(tenantId, [{ provider_account_id: accountId, priority: 1 }])
   */
  set: (tenantId: string, items: EntitlementInput[], options?: CallOptions): ApiPromise<Entitlements> =>
    call.once(setEntitlements, { path: { tenant_id: tenantId }, body: { items } }, options),
})

export const routingRulesOf = (call: Call) => ({
  /**
   * A tenant's routing rules, in the order in which they apply.
   *
   * @example
   * const { items } = await gapura.routingRules.get(tenantId)
   */
  get: (tenantId: string, options?: CallOptions): ApiPromise<RoutingRules> =>
    call.repeatable(getRoutingRules, { path: { tenant_id: tenantId } }, options),

  /**
   * Replaces them all.
   *
   * @example
   * await gapura.routingRules.set(tenantId, [
   *   { method_type: 'virtual_account', provider_account_id: accountId },
   * ])
   */
  set: (tenantId: string, items: RoutingRuleInput[], options?: CallOptions): ApiPromise<RoutingRules> =>
    call.once(setRoutingRules, { path: { tenant_id: tenantId }, body: { items } }, options),

  /**
   * The provider accounts that would be tried for such a payment now, in order; nothing is created.
   *
   * @example
   * const { items } = await gapura.routingRules.preview(tenantId, {
   *   mode: 'live',
   *   method_type: 'virtual_account',
   *   channel: 'bca',
   *   amount: 10_000_000,
   * })
   */
  preview: (
    tenantId: string,
    query: QueryOf<PreviewRouteData>,
    options?: CallOptions,
  ): ApiPromise<RoutePreview> =>
    call.repeatable(previewRoute, { path: { tenant_id: tenantId }, query }, options),
})
