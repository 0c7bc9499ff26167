// For whom a statement is sent. What runs in a scope meets the rows of its tenants only, which PostgreSQL holds
// (migrations/0021_row_security.sql): a statement that forgets its tenant finds nothing of anybody else's. What runs
// outside of one is the service's own, and works across tenants.

import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids. Of partners, they and the Clients below them, as the database knows them at the time of the statement. */
export type Scope = { tenants: readonly string[]; partners: readonly string[] }

const storage = new AsyncLocalStorage<Scope | undefined>()

export const scopeOfTenant = (id: string): Scope => ({ tenants: [id], partners: [] })

/** Undefined: the service's own. */
export const currentScope = (): Scope | undefined => storage.getStore()

export const inScope = <T>(scope: Scope | undefined, run: () => T): T => storage.run(scope, run)

/** A tenant that comes to be is in no scope yet. */
export const withTenantInScope = <T>(id: string, run: () => T): T => {
  const scope = currentScope()
  return inScope(scope && { ...scope, tenants: [...scope.tenants, id] }, run)
}

export const union = (scopes: readonly Scope[]): Scope => ({
  tenants: [...new Set(scopes.flatMap(scope => scope.tenants))],
  partners: [...new Set(scopes.flatMap(scope => scope.partners))],
})
