// The scope of a statement: the tenants it runs for. PostgreSQL restricts a scoped statement to the rows of those
// tenants (migrations/0021_row_security.sql), so a statement that omits its tenant condition finds no other tenant's
// rows. Code outside a scope is the service's own work and sees the rows of all tenants.

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The ids of the tenants and partners of a scope. A partner in the scope includes all Clients that it has when the
 * statement runs.
 */
export type TenantScope = { tenants: readonly string[]; partners: readonly string[] }

const storage = new AsyncLocalStorage<TenantScope | undefined>()

export const scopeOfTenant = (id: string): TenantScope => ({ tenants: [id], partners: [] })

/** Returns the current scope; undefined outside a scope, in the service's own work. */
export const currentScope = (): TenantScope | undefined => storage.getStore()

export const inScope = <T>(scope: TenantScope | undefined, run: () => T): T => storage.run(scope, run)

/** Runs `run` with the tenant added to the current scope, for a new tenant that is not yet in any scope. */
export const withTenantInScope = <T>(id: string, run: () => T): T => {
  const scope = currentScope()
  return inScope(scope && { ...scope, tenants: [...scope.tenants, id] }, run)
}

export const unionOfScopes = (scopes: readonly TenantScope[]): TenantScope => ({
  tenants: [...new Set(scopes.flatMap(scope => scope.tenants))],
  partners: [...new Set(scopes.flatMap(scope => scope.partners))],
})
