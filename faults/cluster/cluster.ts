// The cluster for a fault-injection round: PostgreSQL, the provider sandbox, the service's processes, and the
// network links between them. Faults can cut, delay, freeze or mute these links.
//
//   shop, sandbox ──api──▶ api processes ──database──▶ PostgreSQL ◀──database── worker processes ──receiver──▶ receiver
//                                └───────provider───────▶ sandbox ◀───────provider──────┘

import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrateDatabase } from '../../packages/server/src/db/migrate/prepare-database.ts'
import { freePort } from '../../packages/server/test/support/free-port.ts'
import { type Receiver, startReceiver } from '../load/receiver.ts'
import { type Link as LinkName, links } from '../schedule.ts'
import { type Link, openLink } from './link.ts'
import type { Merchant } from './merchants.ts'
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
import { type Kept, keepProcess } from './process.ts'
import { loadCredentials, loadMerchants, mainOf, type Release, thisRelease } from './release.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

export type Cluster = {
  postgres: Postgres
  sandbox: Sandbox
  receiver: Receiver
  links: Record<LinkName, Link>
  apis: Kept[]
  workers: Kept[]
  merchants: Merchant[]
  /**
   * The service's URL. Requests to this URL pass through the proxy of the network link `api`, so faults can cut, delay,
   * freeze or mute this link.
   */
  url: string
  aheadMs(): number
  /** Moves the service's and the providers' clocks together. */
  moveClock(byMs: number): void
  /**
   * Moves the clock of one service process by `byMs` milliseconds, and moves it back after `forMs` milliseconds.
   * `turn`, modulo the number of processes, selects the process.
   */
  skewClock(turn: number, byMs: number, forMs: number): Promise<void>
  /**
   * Upgrades the service: migrates the database with this release, then replaces the earlier release's processes
   * one after another.
   */
  upgrade(): Promise<void>
  /** Replaces the credentials of a provider account in use, both at the provider and in the service. */
  rotateCredentials(): Promise<void>
  /**
   * Returns how often the clock was moved by more than the maximum duration of a webhook attempt. Each such move can
   * interrupt attempts.
   */
  leaps(): number
  stop(): Promise<void>
}

const LONGEST_ATTEMPT_MS = 20_000

export type Size = { apis: number; workers: number }

export async function startCluster(
  directory: string,
  {
    apis,
    workers,
    release = thisRelease,
    ...options
  }: Size & PostgresOptions & { release?: Release | undefined },
): Promise<Cluster> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    while (undo.length > 0) await undo.pop()?.()
  }
  const kept = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    undo.push(() => started.stop())
    return started
  }
  try {
    await mkdir(join(directory, 'database'), { recursive: true, mode: 0o755 })
    const postgres = await kept(startPostgres(join(directory, 'database'), options))
    const sandbox = await kept(startSandbox(directory))
    const receiver = await kept(startReceiver())

    const ports = await Promise.all(Array.from({ length: apis }, freePort))
    let turn = 0
    const nextApi = () => ports[turn++ % ports.length] as number
    const to: Record<LinkName, (() => Socket)[]> = {
      database: postgres.connect,
      provider: [() => connect(Number(new URL(sandbox.url).port), '127.0.0.1')],
      receiver: [() => connect(receiver.port, '127.0.0.1')],
      api: [() => connect(nextApi(), '127.0.0.1')],
    }
    const opened = {} as Record<LinkName, Link>
    for (const name of links) {
      opened[name] = await openLink(to[name])
      undo.push(() => opened[name].close())
    }

    const url = `http://127.0.0.1:${opened.api.ports[0]}`
    const masterKey = randomBytes(32)
    const databaseUrls = { directDatabaseUrl: postgres.url(), migrateDatabaseUrl: postgres.ownerUrl() }
    const { makeMerchants } = await loadMerchants(release)
    const merchants = await makeMerchants(databaseUrls, masterKey, {
      directory,
      baseUrl: url,
      sandboxUrl: `http://127.0.0.1:${opened.provider.ports[0]}`,
      receiverUrl: `http://127.0.0.1:${opened.receiver.ports[0]}`,
    })
    for (const { tenantId, webhookSecret } of merchants) receiver.expect(tenantId, webhookSecret)

    let running = release
    let aheadMs = 0
    let leaps = 0
    const keep = (role: 'api' | 'worker', n: number, port?: number) => {
      const name = `${role}-${n + 1}`
      const process = keepProcess({
        name,
        main: mainOf(release),
        logFile: join(directory, `${name}.log`),
        aheadMs: () => aheadMs,
        env: {
          DATABASE_URL: databaseUrlOf(opened.database.ports),
          GAPURA_MASTER_KEY: masterKey.toString('base64'),
          GAPURA_DATA_DIR: directory,
          GAPURA_ROLE: role,
          GAPURA_PUBLIC_URL: url,
          GAPURA_WEBHOOK_ALLOW_PRIVATE: 'true',
          GAPURA_LOG_LEVEL: 'warn',
          ...(port !== undefined && { PORT: String(port) }),
        },
      })
      undo.push(process.stop)
      return process
    }
    const cluster: Cluster = {
      postgres,
      sandbox,
      receiver,
      links: opened,
      apis: ports.map((port, n) => keep('api', n, port)),
      workers: Array.from({ length: workers }, (_, n) => keep('worker', n)),
      merchants,
      url,
      aheadMs: () => aheadMs,
      moveClock(byMs) {
        aheadMs += byMs
        if (byMs > LONGEST_ATTEMPT_MS) leaps++
        for (const each of [...cluster.apis, ...cluster.workers, sandbox]) each.moveClock(aheadMs)
      },
      async skewClock(turn, byMs, forMs) {
        const processes = [...cluster.apis, ...cluster.workers]
        const skewed = processes[turn % processes.length]
        skewed?.moveClock(aheadMs + byMs)
        await pause(forMs)
        skewed?.moveClock(aheadMs)
      },
      async upgrade() {
        await migrateWhenPossible(postgres)
        running = thisRelease
        for (const each of [...cluster.workers, ...cluster.apis]) await each.replace(mainOf(thisRelease))
      },
      rotateCredentials: async () => {
        const { rotateCredentials } = await loadCredentials(running)
        await rotateCredentials(postgres.url(), masterKey, {
          directory,
          sandboxUrl: sandbox.url,
          baseUrl: url,
        })
      },
      leaps: () => leaps,
      stop,
    }
    await Promise.all([...cluster.apis, ...cluster.workers].map(process => process.ready()))
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Returns the URL with which the service connects to PostgreSQL. It names one server, or a primary and its
 * standby.
 */
const databaseUrlOf = (ports: number[]): string =>
  `postgres://gapura@${ports.map(port => `127.0.0.1:${port}`).join(',')}/gapura${ports.length > 1 ? '?target_session_attrs=read-write' : ''}`

const MIGRATION_ATTEMPTS = 60

/** Migrates the database. Repeats a failed migration, because another fault may have made PostgreSQL unavailable. */
async function migrateWhenPossible(postgres: Postgres): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrateDatabase(
        { directDatabaseUrl: postgres.url(), migrateDatabaseUrl: postgres.ownerUrl() },
        () => {},
      )
      return
    } catch (error) {
      if (attempt === MIGRATION_ATTEMPTS) throw error
      await pause(1_000)
    }
  }
}
