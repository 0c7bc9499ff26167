// Reads the configuration from environment variables. No other file reads environment variables.

import { resolve } from 'node:path'
import { z } from 'zod'
import { defaultRetention, type Retention } from './retention/retention.ts'
import { checkConnectionUrl } from './values/check-connection-url.ts'
import { ConnectionUrlError, NOT_ENCODED } from './values/connection-url.ts'
import { isNetwork } from './values/network.ts'
import { isSmtpUrl } from './values/smtp-url.ts'

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port')
  .transform(Number)
  .pipe(z.int().max(65_535))
const flag = z.enum(['true', 'false']).transform(word => word === 'true')
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .check(({ value, issues }) => {
    try {
      checkConnectionUrl(value)
    } catch (error) {
      if (!(error instanceof ConnectionUrlError)) throw error
      issues.push({ code: 'custom', message: error.message, input: value })
    }
  })
const hasNoLogin = (url: string): boolean => {
  const { username, password } = URL.parse(url) ?? {}
  return !username && !password
}
const masterKey = z
  .string()
  .transform(text => Buffer.from(text, 'base64'))
  .refine(key => key.length === 32, 'must be 32 bytes in base64; create a key with: openssl rand -base64 32')

/**
 * The shortest retention period that the operator can configure, except for the request log. The period is so
 * long because a payer can dispute a payment during this time, and the stored callbacks are evidence.
 */
const SHORTEST_RETENTION_DAYS = 90

/**
 * The shortest retention period for the request log. It cannot be shorter, because the SQL function
 * drop_log_partition (migrations/0046_api_requests.sql) never drops rows younger than this.
 */
const SHORTEST_REQUEST_RETENTION_DAYS = 30

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
  GAPURA_COMPRESS_MESSAGES: flag.default(true),
  GAPURA_SANDBOX_PORT: port.optional(),
  GAPURA_SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  GAPURA_DOCS_EDIT_URL: z.url({ protocol: /^https?$/ }).optional(),
  GAPURA_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .refine(isSmtpUrl, NOT_ENCODED)
    .optional(),
  GAPURA_MAIL_FROM: z.string().optional(),
  GAPURA_NOTICE_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    // The function `fetch` rejects a URL with a user or password, and its error contains them.
    .refine(hasNoLogin, 'must not contain a user or password; the receiver can verify the signature instead')
    .optional(),
  GAPURA_NOTICE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
      'must be whsec_ and at least 24 bytes in base64; create a secret with: echo "whsec_$(openssl rand -base64 32)"',
    )
    .optional(),
  GAPURA_METRICS_TOKEN: z
    .string()
    .regex(
      /^\S{16,}$/,
      'must be at least 16 characters, without spaces; create a token with: openssl rand -hex 32',
    )
    .optional(),
  GAPURA_OPERATIONS_PORT: port.optional(),
  GAPURA_OPERATIONS_HOST: z.string().min(1).default('127.0.0.1'),
  // The trace collector's URL. The OpenTelemetry specification defines the name of this variable. OpenTelemetry's
  // exporter reads the other OTEL_ variables itself.
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
    .refine(each => each.every(isNetwork), 'must be addresses or networks, such as 10.0.0.0/8,192.0.2.4')
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
  GAPURA_REQUEST_RETENTION_DAYS: days(SHORTEST_REQUEST_RETENTION_DAYS).default(defaultRetention.requestDays),
  GAPURA_SESSION_RETENTION_DAYS: days(1).default(defaultRetention.sessionDays),
  GAPURA_CUSTOMER_RETENTION_DAYS: days(SHORTEST_RETENTION_DAYS).optional(),
  GAPURA_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/**
 * The default time for which the service accepts requests after the stop signal. During this time, a load balancer
 * that polls /readyz every two seconds stops sending requests.
 */
const SHUTDOWN_DELAY_SECONDS = 5

export type Config = {
  host: string
  port: number
  /** The database URL. If undefined, the service runs an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /**
   * The URL for direct connections to the database, without a connection pooler. Features that need their own
   * database session, such as LISTEN, use it. The default is `databaseUrl`.
   */
  directDatabaseUrl: string | undefined
  /**
   * The connection string for migrations. Its user owns the tables. The default is `directDatabaseUrl`, which
   * works only if its user owns the tables.
   */
  migrateDatabaseUrl: string | undefined
  dataDir: string
  /**
   * The master key, which encrypts secrets. With the embedded database, it may be undefined. In this case, the master
   * key is stored in `dataDir`.
   */
  masterKey: Buffer | undefined
  /** The next master key, set only while the master key is being replaced. */
  newMasterKey: Buffer | undefined
  /** This service's base URL, without a trailing slash. */
  publicUrl: string
  /** This service's public IPv4 address. If undefined, the service looks up the address of the host in `publicUrl`. */
  publicIp: string | undefined
  role: 'all' | 'api' | 'worker'
  webhookAllowPrivate: boolean
  /**
   * Whether callbacks and webhooks are stored compressed. The value is false only during an upgrade from a version that
   * cannot read compressed messages.
   */
  compressMessages: boolean
  sandboxPort: number
  /**
   * The base URL of the pages where the dashboard pays test payments, without a trailing slash. The default is the
   * sandbox started by this service.
   */
  sandboxUrl: string | undefined
  /**
   * The prefix of edit link URLs. With a repository file's path appended, the URL opens the editor. If undefined,
   * the pages under /docs have no edit links.
   */
  docsEditUrl: string | undefined
  /** The mail server's URL. If undefined, emails are written to files in `dataDir`. */
  smtpUrl: string | undefined
  mailFrom: string
  /**
   * The URL that receives notices (messages about problems) for the Owner (the service's operator), and the
   * secret that signs them. If undefined, notices are sent only by email.
   */
  noticeWebhook: { url: string; secret: string } | undefined
  /**
   * The token that is required to read /metrics. If undefined, only programs on this machine can read
   * /metrics.
   */
  metricsToken: string | undefined
  /**
   * The address of a separate port for health checks and metrics. Requests to this port require no token. If undefined,
   * this port is not opened.
   */
  operations: { host: string; port: number } | undefined
  /** The tracing settings. If undefined, tracing is off. `ratio` is the fraction of requests that are traced. */
  tracing: { ratio: number } | undefined
  /** The addresses of the proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: string[]
  /**
   * The PEM files for TLS. If undefined, the service accepts only plain HTTP, and a load balancer must terminate TLS.
   */
  tls: { certFile: string; keyFile: string } | undefined
  /** How many seconds requests are still accepted after the stop signal. */
  shutdownDelaySeconds: number
  retention: Retention
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/**
 * Thrown when the configuration is invalid. The message is one line that names the variable and explains how to fix the
 * problem.
 */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads and checks the configuration. The command-line values in `argument` override environment variables. */
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
  // Without DATABASE_URL, the variables GAPURA_DIRECT_DATABASE_URL and GAPURA_MIGRATE_DATABASE_URL are rejected. If
  // they were accepted, migrations and jobs would use the database named by these variables, but payments would be
  // stored in the embedded database.
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
    throw new ConfigError(
      'GAPURA_TLS_CERT, GAPURA_TLS_KEY: must be set together, each to the path of a PEM file',
    )
  }
  const { GAPURA_NOTICE_WEBHOOK_URL: noticeUrl, GAPURA_NOTICE_WEBHOOK_SECRET: noticeSecret } = given
  if ((noticeUrl === undefined) !== (noticeSecret === undefined)) {
    throw new ConfigError('GAPURA_NOTICE_WEBHOOK_URL, GAPURA_NOTICE_WEBHOOK_SECRET: must be set together')
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
    compressMessages: given.GAPURA_COMPRESS_MESSAGES,
    sandboxUrl: given.GAPURA_SANDBOX_URL?.replace(/\/$/, ''),
    sandboxPort:
      given.GAPURA_SANDBOX_PORT ?? (given.PORT === 0 || given.PORT === 65_535 ? 0 : given.PORT + 1),
    docsEditUrl: given.GAPURA_DOCS_EDIT_URL?.replace(/\/+$/, ''),
    smtpUrl: given.GAPURA_SMTP_URL,
    mailFrom: given.GAPURA_MAIL_FROM ?? `Gapura <no-reply@${new URL(publicUrl).hostname}>`,
    noticeWebhook: noticeUrl && noticeSecret ? { url: noticeUrl, secret: noticeSecret } : undefined,
    metricsToken: given.GAPURA_METRICS_TOKEN,
    trustedProxies: given.GAPURA_TRUSTED_PROXIES,
    tls:
      given.GAPURA_TLS_CERT && given.GAPURA_TLS_KEY
        ? { certFile: resolve(given.GAPURA_TLS_CERT), keyFile: resolve(given.GAPURA_TLS_KEY) }
        : undefined,
    // The shutdown delay is 0 with an embedded database, because there is only one process and no load
    // balancer to wait for.
    shutdownDelaySeconds: given.GAPURA_SHUTDOWN_DELAY_SECONDS ?? (embedded ? 0 : SHUTDOWN_DELAY_SECONDS),
    retention: {
      callbackDays: given.GAPURA_CALLBACK_RETENTION_DAYS ?? given.GAPURA_LOG_RETENTION_DAYS,
      attemptDays: given.GAPURA_WEBHOOK_RETENTION_DAYS ?? given.GAPURA_LOG_RETENTION_DAYS,
      eventDays: given.GAPURA_WEBHOOK_RETENTION_DAYS,
      requestDays: given.GAPURA_REQUEST_RETENTION_DAYS,
      sessionDays: given.GAPURA_SESSION_RETENTION_DAYS,
      customerDays: given.GAPURA_CUSTOMER_RETENTION_DAYS,
    },
    operations:
      given.GAPURA_OPERATIONS_PORT === undefined
        ? undefined
        : { host: given.GAPURA_OPERATIONS_HOST, port: given.GAPURA_OPERATIONS_PORT },
    tracing: tracingOf(given),
    logLevel: given.GAPURA_LOG_LEVEL,
  }
}

/** Returns the tracing settings, or undefined if tracing is off or has no exporter endpoint. */
function tracingOf(given: z.output<typeof environment>): Config['tracing'] {
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined || given.OTEL_SDK_DISABLED || given.OTEL_TRACES_SAMPLER === 'always_off')
    return undefined
  return { ratio: given.OTEL_TRACES_SAMPLER.endsWith('traceidratio') ? given.OTEL_TRACES_SAMPLER_ARG : 1 }
}
