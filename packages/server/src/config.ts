// Reads the environment variables; no other file does.

import { resolve } from 'node:path'
import { z } from 'zod'
import { isNetwork } from './network.ts'
import { keptByDefault, type Retention } from './retention/retention.ts'

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port')
  .transform(Number)
  .pipe(z.int().max(65_535))
const flag = z.enum(['true', 'false']).transform(word => word === 'true')
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
const masterKey = z
  .string()
  .transform(text => Buffer.from(text, 'base64'))
  .refine(key => key.length === 32, 'must be 32 bytes in base64; make one with: openssl rand -base64 32')

/** Disputes about a payment may be opened this late, and the provider's callbacks must still be stored then. */
const SHORTEST_RETENTION_DAYS = 90

const days = (min: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number of days')
    .transform(Number)
    .pipe(z.int().min(min))

const environment = z.object({
  PORT: port.prefault('8080'),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: postgresUrl.optional(),
  GAPURA_DIRECT_DATABASE_URL: postgresUrl.optional(),
  GAPURA_MIGRATE_DATABASE_URL: postgresUrl.optional(),
  GAPURA_DATA_DIR: z.string().min(1).default('.gapura'),
  GAPURA_MASTER_KEY: masterKey.optional(),
  GAPURA_NEW_MASTER_KEY: masterKey.optional(),
  GAPURA_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  GAPURA_PUBLIC_IP: z.ipv4('must be an IPv4 address').optional(),
  GAPURA_ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  GAPURA_WEBHOOK_ALLOW_PRIVATE: flag.optional(),
  GAPURA_SANDBOX_PORT: port.optional(),
  GAPURA_SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  GAPURA_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  GAPURA_MAIL_FROM: z.string().optional(),
  GAPURA_METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must be 16 characters or more, without spaces; make one with: openssl rand -hex 32')
    .optional(),
  GAPURA_OPERATIONS_PORT: port.optional(),
  GAPURA_OPERATIONS_HOST: z.string().min(1).default('127.0.0.1'),
  // Named as in the OpenTelemetry specification; its exporter reads the other OTEL_ variables itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_TRACES_SAMPLER: z
    .enum(['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'])
    .default('always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  GAPURA_TRUSTED_PROXIES: z
    .string()
    .transform(text => text.split(',').map(each => each.trim()))
    .refine(each => each.every(isNetwork), 'must be addresses or networks, as in 10.0.0.0/8,192.0.2.4')
    .default([]),
  GAPURA_TLS_CERT: z.string().min(1).optional(),
  GAPURA_TLS_KEY: z.string().min(1).optional(),
  GAPURA_SHUTDOWN_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds')
    .transform(Number)
    .pipe(z.int().max(300))
    .optional(),
  GAPURA_LOG_RETENTION_DAYS: days(SHORTEST_RETENTION_DAYS).optional(),
  GAPURA_CALLBACK_RETENTION_DAYS: days(SHORTEST_RETENTION_DAYS).optional(),
  GAPURA_WEBHOOK_RETENTION_DAYS: days(SHORTEST_RETENTION_DAYS).optional(),
  GAPURA_SESSION_RETENTION_DAYS: days(1).default(keptByDefault.sessionDays),
  GAPURA_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** By then, a load balancer that polls /readyz every second or two has stopped sending requests. */
const SHUTDOWN_DELAY_SECONDS = 5

export type Config = {
  host: string
  port: number
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /** Bypasses a connection pooler, for features that need a session of their own. Undefined: `databaseUrl`. */
  directDatabaseUrl: string | undefined
  /** Connects as the owner of the tables, for migrations. Undefined: `directDatabaseUrl`, if its user owns them. */
  migrateDatabaseUrl: string | undefined
  dataDir: string
  /** Undefined only with the embedded database, whose key is stored in `dataDir`. */
  masterKey: Buffer | undefined
  /** Set only while the master key is being replaced. */
  newMasterKey: Buffer | undefined
  /** No trailing slash. */
  publicUrl: string
  /** An IPv4 address. Undefined: the address of the host in `publicUrl`. */
  publicIp: string | undefined
  role: 'all' | 'api' | 'worker'
  webhookAllowPrivate: boolean
  sandboxPort: number
  /**
   * Base URL that the dashboard opens to pay in test mode; no trailing slash. Undefined: the sandbox started with
   * this service.
   */
  sandboxUrl: string | undefined
  /** Undefined: mails are written to files in `dataDir`. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Undefined: /metrics is served to this machine only. */
  metricsToken: string | undefined
  /** A separate listener for health checks and metrics only, without a token. Undefined: not started. */
  operations: { host: string; port: number } | undefined
  /** ratio: fraction of traces that are sampled. Undefined: tracing is off. */
  tracing: { ratio: number } | undefined
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[]
  /** PEM files. Undefined: a load balancer in front terminates TLS. */
  tls: { certFile: string; keyFile: string } | undefined
  /** How long requests are still accepted after the signal to stop. */
  shutdownDelaySeconds: number
  retention: Retention
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** A one-line message that names the variable and how to fix it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** `argument` holds command-line values, which override the environment. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  argument: { GAPURA_ROLE?: string | undefined } = {},
): Config {
  // An empty variable counts as unset, as in shells and compose files.
  const set = Object.fromEntries(
    Object.entries({ ...env, ...(argument.GAPURA_ROLE && argument) }).filter(([, value]) => value !== ''),
  )
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    )
  }
  const given = parsed.data
  if (given.DATABASE_URL !== undefined && given.GAPURA_MASTER_KEY === undefined) {
    throw new ConfigError(
      'GAPURA_MASTER_KEY: required with DATABASE_URL; create one with: openssl rand -base64 32',
    )
  }
  const embedded = given.DATABASE_URL === undefined
  // Otherwise migrations and jobs would use one database, and payments another.
  for (const name of ['GAPURA_DIRECT_DATABASE_URL', 'GAPURA_MIGRATE_DATABASE_URL'] as const)
    if (embedded && given[name] !== undefined)
      throw new ConfigError(
        `${name}: requires DATABASE_URL for the same database; set DATABASE_URL too, or unset ${name}`,
      )
  if (embedded && given.GAPURA_ROLE !== 'all') {
    throw new ConfigError(
      `GAPURA_ROLE: ${given.GAPURA_ROLE} requires DATABASE_URL; the embedded database supports only one process`,
    )
  }
  if ((given.GAPURA_TLS_CERT === undefined) !== (given.GAPURA_TLS_KEY === undefined)) {
    throw new ConfigError('GAPURA_TLS_CERT, GAPURA_TLS_KEY: must be set together, to PEM files')
  }
  const host = given.HOST.includes(':') ? `[${given.HOST}]` : given.HOST
  const publicUrl = (
    given.GAPURA_PUBLIC_URL ?? `${given.GAPURA_TLS_CERT ? 'https' : 'http'}://${host}:${given.PORT}`
  ).replace(/\/+$/, '')
  return {
    host: given.HOST,
    port: given.PORT,
    databaseUrl: given.DATABASE_URL,
    directDatabaseUrl: given.GAPURA_DIRECT_DATABASE_URL,
    migrateDatabaseUrl: given.GAPURA_MIGRATE_DATABASE_URL,
    dataDir: resolve(given.GAPURA_DATA_DIR),
    masterKey: given.GAPURA_MASTER_KEY,
    newMasterKey: given.GAPURA_NEW_MASTER_KEY,
    publicUrl,
    publicIp: given.GAPURA_PUBLIC_IP,
    role: given.GAPURA_ROLE,
    webhookAllowPrivate: given.GAPURA_WEBHOOK_ALLOW_PRIVATE ?? embedded,
    sandboxUrl: given.GAPURA_SANDBOX_URL?.replace(/\/$/, ''),
    sandboxPort:
      given.GAPURA_SANDBOX_PORT ?? (given.PORT === 0 || given.PORT === 65_535 ? 0 : given.PORT + 1),
    smtpUrl: given.GAPURA_SMTP_URL,
    mailFrom: given.GAPURA_MAIL_FROM ?? `Gapura <no-reply@${new URL(publicUrl).hostname}>`,
    metricsToken: given.GAPURA_METRICS_TOKEN,
    trustedProxies: given.GAPURA_TRUSTED_PROXIES,
    tls:
      given.GAPURA_TLS_CERT && given.GAPURA_TLS_KEY
        ? { certFile: resolve(given.GAPURA_TLS_CERT), keyFile: resolve(given.GAPURA_TLS_KEY) }
        : undefined,
    // An embedded database serves a single process, with no load balancer to wait for.
    shutdownDelaySeconds: given.GAPURA_SHUTDOWN_DELAY_SECONDS ?? (embedded ? 0 : SHUTDOWN_DELAY_SECONDS),
    retention: {
      callbackDays: given.GAPURA_CALLBACK_RETENTION_DAYS ?? given.GAPURA_LOG_RETENTION_DAYS,
      attemptDays: given.GAPURA_WEBHOOK_RETENTION_DAYS ?? given.GAPURA_LOG_RETENTION_DAYS,
      eventDays: given.GAPURA_WEBHOOK_RETENTION_DAYS,
      sessionDays: given.GAPURA_SESSION_RETENTION_DAYS,
    },
    operations:
      given.GAPURA_OPERATIONS_PORT === undefined
        ? undefined
        : { host: given.GAPURA_OPERATIONS_HOST, port: given.GAPURA_OPERATIONS_PORT },
    tracing: tracingOf(given),
    logLevel: given.GAPURA_LOG_LEVEL,
  }
}

/** Tracing is on when an exporter endpoint is set. */
function tracingOf(given: z.output<typeof environment>): Config['tracing'] {
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || given.OTEL_SDK_DISABLED || given.OTEL_TRACES_SAMPLER === 'always_off')
    return undefined
  return { ratio: given.OTEL_TRACES_SAMPLER.endsWith('traceidratio') ? given.OTEL_TRACES_SAMPLER_ARG : 1 }
}
