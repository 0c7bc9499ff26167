// The scope of a statement is a set of tenants. PostgreSQL shows the statement only the rows of these tenants
// (migrations/0021_row_security.sql), even if the SQL has no condition on the tenant. Internal statements have no scope
// and see the rows of all tenants.

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * A tenant scope: the IDs of the tenants and partners whose rows a statement may see. A partner manages other tenants,
 * called its Clients. A scope with a partner also contains all Clients that the partner has when the statement runs.
 */
export type TenantScope = { tenants: readonly string[]; partners: readonly string[] }

const storage = new AsyncLocalStorage<TenantScope | undefined>()

export const scopeOfTenant = (id: string): TenantScope => ({ tenants: [id], partners: [] })

/**
 * Returns the current tenant scope (the tenants whose rows statements may see). Returns undefined for the
 * service's internal work, which has no scope.
 */
export const currentScope = (): TenantScope | undefined => storage.getStore()

export const inScope = <T>(scope: TenantScope | undefined, run: () => T): T => storage.run(scope, run)

/**
 * Calls `run` in an extended tenant scope: the current scope (the tenants whose rows are visible) plus the
 * newly created tenant `id`.
 */
export const withTenantInScope = <T>(id: string, run: () => T): T => {
  const scope = currentScope()
  return inScope(scope && { ...scope, tenants: [...scope.tenants, id] }, run)
}

export const unionOfScopes = (scopes: readonly TenantScope[]): TenantScope => ({
  tenants: [...new Set(scopes.flatMap(scope => scope.tenants))],
  partners: [...new Set(scopes.flatMap(scope => scope.partners))],
})
