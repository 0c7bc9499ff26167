// Applies the current scope (scope.ts) to a statement. Outside a transaction, both are sent together: the scope is set
// for the length of a transaction, which includes the statement that follows in the same message. So it costs no round
// trip and leaves nothing on the connection, with or without PgBouncer. A transaction takes its scope when it begins
// and keeps it.

import pg from 'pg'
import { currentScope, type Scope } from './scope.ts'

/** The role's name in the migration. */
const ROLE = 'gapura_tenant'

const arrayOf = (ids: readonly string[]): string => `{${ids.join(',')}}`

const setScope = (tenants: string): string =>
  `select set_config('gapura.tenants', ${tenants}, true), set_config('role', '${ROLE}', true)`

type Prepared = { name: string; text: string; values: string[] }

/** Only a scope with partners needs a lookup; such scopes are rare. */
const settingOf = ({ tenants, partners }: Scope): Prepared =>
  partners.length === 0
    ? { name: 'scope', text: setScope('$1'), values: [arrayOf(tenants)] }
    : {
        name: 'scope of partners',
        text: setScope(
          `($1::uuid[] || array(select id from tenants where id = any($2::uuid[]) or parent_id = any($2::uuid[])))::text`,
        ),
        values: [arrayOf(tenants), arrayOf(partners)],
      }

/** The scope of the transaction that each connection began last. */
const scopeOfTransaction = new WeakMap<pg.Client, Scope | undefined>()

const isInTransaction = (client: pg.Client): boolean => (client.getTransactionStatus() ?? 'I') !== 'I'

/** The scope in which the client's next statement will run. */
export const scopeOn = (client: pg.Client): Scope | undefined =>
  isInTransaction(client) ? scopeOfTransaction.get(client) : currentScope()

/** begin: the BEGIN statement as it would be sent alone. */
export function beginInScope(client: pg.Client, begin: string): Promise<pg.QueryResult> {
  const scope = currentScope()
  scopeOfTransaction.set(client, scope)
  if (!scope) return client.query(begin)
  const { text, values } = settingOf(scope)
  // BEGIN and the setting go in one simple-protocol message, which takes no parameters.
  const literal = text.replace(/\$(\d)/g, (_, n: string) => pg.escapeLiteral(values[Number(n) - 1] as string))
  return client.query(`${begin.replace(/;?$/, ';')} ${literal}`)
}

export async function query(client: pg.Client, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const scope = isInTransaction(client) ? undefined : currentScope()
  if (!scope) return client.query(config)
  const setting = settingOf(scope)
  const { connection } = client as unknown as { connection: Connection }
  // Prepared once for each connection, in its own message: pg records one prepared statement for a message.
  if (connection.parsedStatements[setting.name] === undefined) await client.query(setting)
  return new Promise((resolve, reject) => {
    const scoped = new ScopedQuery({ ...config, queryMode: 'extended' }, setting, scope)
    const answered = (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result)
    ;(client.query as (query: ScopedQuery, callback: typeof answered) => void)(scoped, answered)
  })
}

/** The parts of pg's internals used here, which its types omit. */
type Connection = {
  parsedStatements: Record<string, string>
  stream: { cork(): void; uncork(): void }
  bind(what: { portal: string; statement: string; values: string[] }): void
  execute(what: { portal: string }): void
}
const Query = pg.Query as unknown as new (
  config: object,
) => {
  submit(connection: Connection): Error | null
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

class ScopedQuery extends Query {
  readonly #setting: Prepared
  #isSet = false
  /** Read by code that observes the statements sent. */
  readonly scope: Scope

  constructor(config: object, setting: Prepared, scope: Scope) {
    super(config)
    this.#setting = setting
    this.scope = scope
  }

  override submit(connection: Connection): Error | null {
    connection.stream.cork()
    try {
      connection.bind({ portal: '', statement: this.#setting.name, values: this.#setting.values })
      connection.execute({ portal: '' })
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  // The first rows and the first completion belong to the statement that sets the scope.
  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isSet) super.handleCommandComplete(message, connection)
    else this.#isSet = true
  }
}
