// Uses a running Citus cluster for the benchmarks. Its servers must run on this machine, because their CPU time is read
// from /proc. They must accept the roles `postgres` and `gapura_owner` without a password.

import pg from 'pg'
import { distribute } from '../../packages/server/src/db/distribute/distribute.ts'
import { databaseUrl } from '../../packages/server/test/support/database-url.ts'
import type { Postgres } from '../host/postgres.ts'
import { cpuOfTree } from '../host/usage.ts'

const owner = 'gapura_owner'

/** The URL of a server in the cluster, for a superuser and any database. */
type Server = string

async function queryAt<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

export type Cluster = {
  postgres: Postgres
  /** Distributes a database's tables and rows over the workers. */
  distribute(database: string): Promise<void>
  drop(database: string): Promise<void>
}

/**
 * Forms a database cluster from a coordinator (the main PostgreSQL server) and its workers. If there are no workers,
 * the cluster is a single PostgreSQL server.
 */
export async function joinCluster(coordinator: Server, workers: Server[]): Promise<Cluster> {
  const servers = [coordinator, ...workers]
  const everywhere = async (sql: string, database = 'postgres') => {
    for (const server of servers) await queryAt(databaseUrl(server, database), sql)
  }
  const [about] = await queryAt<{ server_version: string }>(coordinator, 'show server_version')
  const pids = await Promise.all(
    servers.map(async server => {
      const [file] = await queryAt<{ text: string }>(server, `select pg_read_file('postmaster.pid') as text`)
      return Number(file?.text.split('\n', 1)[0])
    }),
  )
  const urlOf = (database: string) =>
    Object.assign(new URL(databaseUrl(coordinator, database)), { username: owner }).href
  const of = (server: Server) => {
    const { hostname, port } = new URL(server)
    return `'${hostname}', ${port}`
  }
  return {
    postgres: {
      version: about?.server_version ?? '',
      urlOf,
      async createDatabase(name) {
        await everywhere(`create database ${name} owner ${owner}`)
        if (workers.length === 0) return
        // Citus copies a function to the workers only if the function is created after the workers have been added.
        await everywhere('create extension citus', name)
        const at = databaseUrl(coordinator, name)
        await queryAt(at, `select citus_set_coordinator_host(${of(coordinator)})`)
        for (const worker of workers) await queryAt(at, `select citus_add_node(${of(worker)})`)
      },
      admin: everywhere,
      cpu: async () => (await Promise.all(pids.map(cpuOfTree))).reduce((sum, each) => sum + each, 0),
      walBytes: () =>
        Promise.reject(new Error('this benchmark does not measure the write-ahead log of a cluster')),
      stop: async () => {},
    },
    distribute: async database => void (await distribute(urlOf(database), { dryRun: false, say: () => {} })),
    async drop(database) {
      // The coordinator's maintenance process keeps connections to the workers' databases open. The option `force`
      // closes all connections, so that the databases can be dropped. The coordinator's database is dropped last.
      for (const server of servers.toReversed())
        await queryAt(databaseUrl(server, 'postgres'), `drop database if exists ${database} with (force)`)
    },
  }
}
