// The scope of a statement is the set of tenants that the statement runs for. PostgreSQL restricts a scoped
// statement to the rows of these tenants (migrations/0021_row_security.sql), even if the statement omits
// its tenant condition. Statements without a scope are the service's internal work and see the rows of all
// tenants.

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The ids of the tenants and partners of a scope. A partner manages other tenants, its Clients. If a partner is in the
 * scope, so are all Clients that it has when the statement runs.
 */
export type TenantScope = { tenants: readonly string[]; partners: readonly string[] }

const storage = new AsyncLocalStorage<TenantScope | undefined>()

export const scopeOfTenant = (id: string): TenantScope => ({ tenants: [id], partners: [] })

/**
 * Returns the current tenant scope (the tenants whose rows statements may see), or undefined in the service's
 * internal work, which has no scope.
 */
export const currentScope = (): TenantScope | undefined => storage.getStore()

export const inScope = <T>(scope: TenantScope | undefined, run: () => T): T => storage.run(scope, run)

/**
 * Adds a newly created tenant to the current scope (the tenants whose rows are visible) while `run` runs.
 * The scope began before the tenant existed.
 */
export const withTenantInScope = <T>(id: string, run: () => T): T => {
  const scope = currentScope()
  return inScope(scope && { ...scope, tenants: [...scope.tenants, id] }, run)
}

export const unionOfScopes = (scopes: readonly TenantScope[]): TenantScope => ({
  tenants: [...new Set(scopes.flatMap(scope => scope.tenants))],
  partners: [...new Set(scopes.flatMap(scope => scope.partners))],
})
