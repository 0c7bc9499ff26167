// A statement's scope is the set of tenants for which it runs. PostgreSQL shows a scoped statement only their rows
// (migrations/0021_row_security.sql), even if its tenant condition is missing. Internal statements have no scope
// and see all tenants' rows.

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The IDs of the tenants and partners in a scope. A partner manages other tenants, its Clients. The scope also
 * contains all Clients that its partners have when the statement runs.
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

/** While `run` runs, adds a newly created tenant to the current scope (the tenants whose rows are visible). */
export const withTenantInScope = <T>(id: string, run: () => T): T => {
  const scope = currentScope()
  return inScope(scope && { ...scope, tenants: [...scope.tenants, id] }, run)
}

export const unionOfScopes = (scopes: readonly TenantScope[]): TenantScope => ({
  tenants: [...new Set(scopes.flatMap(scope => scope.tenants))],
  partners: [...new Set(scopes.flatMap(scope => scope.partners))],
})
