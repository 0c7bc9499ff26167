// Tenants and what belongs to one: for the Owner, a Partner over its Clients, and a few for the tenant itself.

import type { Call } from './call.ts'
import {
  type ApiKey,
  type ApiKeyPage,
  type CreateApiKeyBody,
  type CreateTenantBody,
  type CreateUserBody,
  createApiKey,
  createTenant,
  createUser,
  type EntitlementInput,
  type Entitlements,
  getEntitlements,
  getRoutingRules,
  getTenant,
  type ListApiKeysData,
  type ListTenantsData,
  type ListUsersData,
  listApiKeys,
  listTenants,
  listUsers,
  type NewApiKey,
  type RotateApiKeyBody,
  type RoutingRuleInput,
  type RoutingRules,
  revokeApiKey,
  rotateApiKey,
  setEntitlements,
  setRoutingRules,
  type Tenant,
  type TenantPage,
  type UpdateTenantBody,
  type User,
  type UserPage,
  updateTenant,
} from './generated/index.ts'
import type { Loose, QueryOf } from './query.ts'

export const tenantsOf = (call: Call) => ({
  /**
   * The tenants that the caller manages, newest first, in pages.
   *
   * @example
   * const { items, next_cursor } = await gapura.tenants.list({ limit: 100 })
   */
  list: (query: QueryOf<ListTenantsData> = {}): Promise<TenantPage> =>
    call.repeatable(options => listTenants({ ...options, query })),

  /**
   * Creates a Client, or for the Owner any tenant.
   *
   * @example
   * const { id } = await gapura.tenants.create({ name: 'Toko Budi' })
   */
  create: (body: Loose<CreateTenantBody>): Promise<Tenant> =>
    call.once(options => createTenant({ ...options, body })),

  /**
   * One that the caller manages, or the caller itself.
   *
   * @example
   * const { status } = await gapura.tenants.get(tenantId)
   */
  get: (id: string): Promise<Tenant> =>
    call.repeatable(options => getTenant({ ...options, path: { tenant_id: id } })),

  /**
   * Changes what is named; the rest stays.
   *
   * @example
   * await gapura.tenants.update(tenantId, { status: 'suspended' })
   */
  update: (id: string, body: Loose<UpdateTenantBody>): Promise<Tenant> =>
    call.once(options => updateTenant({ ...options, path: { tenant_id: id }, body })),
})

export const apiKeysOf = (call: Call) => ({
  /**
   * The keys of a tenant, those that no longer work among them. A tenant lists its own by `account.apiKeys`.
   *
   * @example
   * const { items } = await gapura.apiKeys.list(tenantId)
   */
  list: (tenantId: string, query: QueryOf<ListApiKeysData> = {}): Promise<ApiKeyPage> =>
    call.repeatable(options => listApiKeys({ ...options, path: { tenant_id: tenantId }, query })),

  /**
   * Makes a key. `key` is in this answer and never again.
   *
   * @example
   * const { key } = await gapura.apiKeys.create(tenantId, { name: 'web shop', mode: 'test' })
   */
  create: (tenantId: string, body: Loose<CreateApiKeyBody>): Promise<NewApiKey> =>
    call.once(options => createApiKey({ ...options, path: { tenant_id: tenantId }, body })),

  /**
   * Makes a key of the same name and mode; the old one works for `grace_minutes` more (0).
   *
   * @example
   * const { key } = await gapura.apiKeys.rotate(tenantId, keyId, { grace_minutes: 60 })
   */
  rotate: (tenantId: string, keyId: string, body: Loose<RotateApiKeyBody> = {}): Promise<NewApiKey> =>
    call.once(options => rotateApiKey({ ...options, path: { tenant_id: tenantId, key_id: keyId }, body })),

  /**
   * Ends a key within a second, for good.
   *
   * @example
   * await gapura.apiKeys.revoke(tenantId, keyId)
   */
  revoke: (tenantId: string, keyId: string): Promise<ApiKey> =>
    call.once(options => revokeApiKey({ ...options, path: { tenant_id: tenantId, key_id: keyId } })),
})

export const usersOf = (call: Call) => ({
  /**
   * Who logs in for a tenant.
   *
   * @example
   * const { items } = await gapura.users.list(tenantId)
   */
  list: (tenantId: string, query: QueryOf<ListUsersData> = {}): Promise<UserPage> =>
    call.repeatable(options => listUsers({ ...options, path: { tenant_id: tenantId }, query })),

  /**
   * Lets somebody log in for a tenant.
   *
   * @example
   * await gapura.users.create(tenantId, { email: 'budi@example.com', password })
   */
  create: (tenantId: string, body: CreateUserBody): Promise<User> =>
    call.once(options => createUser({ ...options, path: { tenant_id: tenantId }, body })),
})

export const entitlementsOf = (call: Call) => ({
  /**
   * The provider accounts that a tenant may use, in the order in which they are tried.
   *
   * @example
   * const { items } = await gapura.entitlements.get(tenantId)
   */
  get: (tenantId: string): Promise<Entitlements> =>
    call.repeatable(options => getEntitlements({ ...options, path: { tenant_id: tenantId } })),

  /**
   * Replaces them all. Routing rules for an account that is left out go with it.
   *
   * @example
   * await gapura.entitlements.set(tenantId, [{ provider_account_id: accountId, priority: 1 }])
   */
  set: (tenantId: string, items: EntitlementInput[]): Promise<Entitlements> =>
    call.once(options => setEntitlements({ ...options, path: { tenant_id: tenantId }, body: { items } })),
})

export const routingRulesOf = (call: Call) => ({
  /**
   * A tenant's routing rules, in the order in which they apply.
   *
   * @example
   * const { items } = await gapura.routingRules.get(tenantId)
   */
  get: (tenantId: string): Promise<RoutingRules> =>
    call.repeatable(options => getRoutingRules({ ...options, path: { tenant_id: tenantId } })),

  /**
   * Replaces them all.
   *
   * @example
   * await gapura.routingRules.set(tenantId, [
   *   { method_type: 'virtual_account', provider_account_id: accountId },
   * ])
   */
  set: (tenantId: string, items: RoutingRuleInput[]): Promise<RoutingRules> =>
    call.once(options => setRoutingRules({ ...options, path: { tenant_id: tenantId }, body: { items } })),
})
