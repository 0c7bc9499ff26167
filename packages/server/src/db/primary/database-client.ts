// The database connection used by every part of the service. It extends node-postgres' client:
// - If the URL names several servers, the client connects to the primary server (values/connection-url.ts,
//   find-primary.ts).
// - If the server no longer accepts writes, the client closes the connection, so that its pool opens another one.
// - If an operator cancels a commit's wait for the synchronous standby, PostgreSQL only sends a warning. The client
//   then reports the commit as failed.

import pg from 'pg'
import { serversOfUrl } from '../../values/connection-url.ts'
import { READ_ONLY } from '../database-errors.ts'
import { closeSocket, failActiveQuery, observeSession, setServer } from '../pg-internals.ts'
import { finderOfUrl, type PrimaryFinder } from './find-primary.ts'

/** Thrown if a server that was the primary no longer accepts writes. */
class ReadOnlyServerError extends Error {
  override name = 'ReadOnlyServerError'
  readonly code = READ_ONLY
}

/**
 * Thrown if the primary has stored a commit, but the standby may not have it. The SQLSTATE in `code` means
 * that the outcome of the transaction is unknown.
 */
class UnreplicatedCommitError extends Error {
  override name = 'UnreplicatedCommitError'
  readonly code = '08007'
}

/**
 * Extracts the violated constraint's name from an error message of Citus, without the shard number at its
 * end, such as `_102008`. The coordinator forwards only a worker's message, and not the field with the
 * constraint.
 */
const constraintOfShard = (message: string | undefined): string | undefined =>
  /^(?:duplicate key value|new row for relation) .*violates \w+ constraint "(.+?)(?:_\d{6,})?"/.exec(
    message ?? '',
  )?.[1]

type Connected = (error: Error | null, client?: pg.Client) => void

export class DatabaseClient extends pg.Client {
  readonly #primary: PrimaryFinder | undefined
  /** True after a write has failed because the database server accepts no writes. */
  #hasRefusedWrite = false
  /**
   * The names of the server settings that indicate that the database server accepts no writes, such as
   * `in_hot_standby`.
   */
  readonly #readOnlySettings = new Set<string>()

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = '' } = config
    const target = serversOfUrl(connectionString)
    super(target ? { ...config, connectionString: target.url } : config)
    this.#primary = target && finderOfUrl(connectionString, target)
    // PostgreSQL can end a connection before the pool handles its errors. Without this listener, such an
    // error would end the process.
    if (this.#primary) this.on('error', () => this.#primary?.forget())
    observeSession(this, {
      onSetting: (name, value) => {
        if (name !== 'in_hot_standby' && name !== 'default_transaction_read_only') return
        if (value === 'on') this.#readOnlySettings.add(name)
        else this.#readOnlySettings.delete(name)
      },
      onError: error => {
        this.#hasRefusedWrite ||= error.code === READ_ONLY
        error.constraint ??= constraintOfShard(error.message)
      },
      onIdle: () => {
        if (this.#isReadOnly()) this.#leave()
      },
      onUnreplicatedCommit: () => {
        this.#primary?.forget()
        failActiveQuery(
          this,
          new UnreplicatedCommitError('the synchronous standby did not confirm the transaction'),
        )
      },
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (!this.#primary) return callback ? void super.connect(callback) : super.connect()
    const connecting = this.#connectToPrimary(this.#primary)
    if (!callback) return connecting
    connecting.then(
      () => callback(null, this),
      error => callback(error),
    )
    return undefined
  }

  async #connectToPrimary(primary: PrimaryFinder): Promise<pg.Client> {
    const server = await primary.find()
    setServer(this, server)
    try {
      await super.connect()
      if (this.#isReadOnly()) throw new ReadOnlyServerError(`${server.host} does not accept writes`)
    } catch (error) {
      this.#leave()
      throw error
    }
    primary.track(this, server)
    this.on('end', () => primary.untrack(this))
    return this
  }

  /**
   * Returns whether the connection must be closed because its server accepts no writes. If the URL has no
   * `target_session_attrs`, read-only settings are no reason to close it: an operator may use a standby on purpose,
   * for example for verify-ledger.
   */
  #isReadOnly(): boolean {
    return this.#hasRefusedWrite || (this.#primary !== undefined && this.#readOnlySettings.size > 0)
  }

  #leave(): void {
    this.#primary?.forget()
    closeSocket(this)
  }
}
