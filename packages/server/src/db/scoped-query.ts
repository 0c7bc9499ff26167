// Applies the current tenant scope (tenant-scope.ts) to a statement. In a transaction, the scope is set when the
// transaction begins. Outside a transaction, the scope and the statement are sent in one message. One message costs no
// extra round trip and leaves no state on the connection, with or without PgBouncer.

import pg from 'pg'
import {
  isInTransaction,
  isPrepared,
  type PreparedQuery,
  QueryAfterPrepared,
  runQuery,
} from './pg-internals.ts'
import { currentScope, type TenantScope } from './tenant-scope.ts'

/**
 * The name of the tenant role, which runs statements on a caller's behalf. A migration creates the role with this
 * name.
 */
const ROLE = 'gapura_tenant'

const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`

const setScope = (tenants: string): string =>
  `select set_tenants(${tenants}), set_config('role', '${ROLE}', true)`

/**
 * Returns the statement that sets the tenant scope: the tenants whose rows later statements may see. For each Partner
 * in the scope, the statement also adds the Clients (the tenants that the Partner manages).
 */
const scopeSetting = ({ tenants, partners }: TenantScope): PreparedQuery =>
  partners.length === 0
    ? { name: 'scope', text: setScope('$1'), values: [arrayOf(tenants)] }
    : {
        name: 'scope of partners',
        text: setScope(
          `($1::uuid[] || array(select id from tenants where id = any($2::uuid[]) or parent_id = any($2::uuid[])))::text`,
        ),
        values: [arrayOf(tenants), arrayOf(partners)],
      }

/**
 * The tenant scope of the last transaction on each database connection. It contains the tenants whose rows
 * are visible.
 */
const scopeOfTransaction = new WeakMap<pg.Client, TenantScope | undefined>()

/** Returns the tenant scope for the next statement on the database connection: the tenants whose rows it may see. */
export const scopeOfNextStatement = (client: pg.Client): TenantScope | undefined =>
  isInTransaction(client) ? scopeOfTransaction.get(client) : currentScope()

/**
 * Begins a transaction that sees only the rows in the current tenant scope (the tenants whose rows are visible). If
 * there is no scope, only the statement `begin` is sent.
 */
export async function beginInScope(client: pg.Client, begin: string): Promise<pg.QueryResult> {
  const scope = currentScope()
  scopeOfTransaction.set(client, scope)
  if (!scope) return client.query(begin)
  // BEGIN and the statement that sets the scope are sent together in one message. Only PostgreSQL's simple
  // protocol allows this. It does not support parameters, so the values are inserted as literals.
  try {
    return await client.query(`${begin.replace(/;?$/, ';')} ${literalOf(scope)}`)
  } catch (error) {
    // Setting the scope can fail after BEGIN took effect, for example if a migration locks the table of tenants. Knex
    // would then return the connection to the pool without a rollback, because it considers the transaction as not
    // begun. If the server did not answer at all, the pool closes the connection.
    if (error instanceof pg.DatabaseError) await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Sets a savepoint. Also applies the current tenant scope (the tenants whose rows are visible) if it has changed since
 * it was last applied in this transaction. For example, the scope changes when the transaction creates a tenant
 * (withTenantInScope).
 */
export async function savepointInScope(client: pg.Client, savepoint: string): Promise<pg.QueryResult> {
  const scope = currentScope()
  const result = await client.query(savepoint)
  if (scope && scope !== scopeOfTransaction.get(client)) {
    await client.query(literalOf(scope))
    scopeOfTransaction.set(client, scope)
  }
  return result
}

function literalOf(scope: TenantScope): string {
  const { text, values } = scopeSetting(scope)
  return text.replace(/\$(\d)/g, (_, n: string) => pg.escapeLiteral(values[Number(n) - 1] as string))
}

export async function queryInScope(client: pg.Client, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const scope = isInTransaction(client) ? undefined : currentScope()
  if (!scope) return client.query(config)
  const setting = scopeSetting(scope)
  // The statement that sets the tenant scope is prepared once per connection, in its own message. If one message
  // prepared two statements, pg would record only one of them as prepared.
  if (!isPrepared(client, setting.name)) await client.query(setting)
  return runQuery(client, new ScopedQuery(config, setting, scope))
}

class ScopedQuery extends QueryAfterPrepared {
  /**
   * The statement's tenant scope: the tenants whose rows the statement may see. This property is for tests and other
   * code that observes which statements are sent.
   */
  readonly scope: TenantScope

  constructor(config: pg.QueryConfig, setting: PreparedQuery, scope: TenantScope) {
    super(config, setting)
    this.scope = scope
  }
}
