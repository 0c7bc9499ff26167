import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const key = Buffer.alloc(32, 7)
const own = { DATABASE_URL: 'postgres://gapura@db/gapura', GAPURA_MASTER_KEY: key.toString('base64') }

describe('the configuration uses command-line options first, then environment variables, then default values', () => {
  test('without environment variables, the configuration has the default values for a service with the embedded database', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: undefined,
      dataDir: resolve('.gapura'),
      masterKey: undefined,
      newMasterKey: undefined,
      publicUrl: 'http://127.0.0.1:8080',
      role: 'all',
      webhookAllowPrivate: true,
      compressMessages: true,
      retention: {
        callbackDays: undefined,
        attemptDays: undefined,
        eventDays: undefined,
        requestDays: 90,
        sessionDays: 30,
        customerDays: undefined,
      },
      sandboxPort: 8081,
      docsEditUrl: undefined,
      smtpUrl: undefined,
      mailFrom: 'Gapura <no-reply@127.0.0.1>',
      metricsToken: undefined,
      shutdownDelaySeconds: 0,
      trustedProxies: [],
      operations: undefined,
      tracing: undefined,
      logLevel: 'info',
    })
  })

  test('by default, webhooks may reach private addresses only if the service uses the embedded database', () => {
    expect(readConfig(own)).toMatchObject({
      databaseUrl: own.DATABASE_URL,
      masterKey: key,
      webhookAllowPrivate: false,
    })
    expect(readConfig({ ...own, GAPURA_WEBHOOK_ALLOW_PRIVATE: 'true' }).webhookAllowPrivate).toBe(true)
    expect(readConfig({ GAPURA_WEBHOOK_ALLOW_PRIVATE: 'false' }).webhookAllowPrivate).toBe(false)
  })

  test('tracing is off without a trace collector, or if the SDK or the sampler is turned off', () => {
    const tracingOf = (env: NodeJS.ProcessEnv) => readConfig(env).tracing
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    expect(tracingOf(collector)).toEqual({ ratio: 1 })
    expect(tracingOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' })).toEqual({
      ratio: 1,
    })
    expect(tracingOf({ ...collector, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
    expect(tracingOf({ ...collector, OTEL_TRACES_SAMPLER: 'always_off' })).toBeUndefined()
    expect(tracingOf({ OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined()
  })

  test('each environment variable that is set is read into the configuration', () => {
    const given = {
      ...own,
      PORT: '9000',
      HOST: '::1',
      GAPURA_DIRECT_DATABASE_URL: 'postgres://gapura@postgres/gapura',
      GAPURA_MIGRATE_DATABASE_URL: 'postgres://gapura_owner@postgres/gapura',
      GAPURA_DATA_DIR: '/var/lib/gapura',
      GAPURA_PUBLIC_URL: 'https://pay.example.com/',
      GAPURA_PUBLIC_IP: '198.51.100.27',
      GAPURA_ROLE: 'worker',
      GAPURA_SANDBOX_PORT: '9100',
      GAPURA_NEW_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
      GAPURA_DOCS_EDIT_URL: 'https://git.example.com/gapura/edit/main/',
      GAPURA_SMTP_URL: 'smtps://user:secret@mail.example.com',
      GAPURA_MAIL_FROM: 'Payments <pay@example.com>',
      GAPURA_NOTICE_WEBHOOK_URL: 'https://alerts.example.com/gapura',
      GAPURA_NOTICE_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
      GAPURA_METRICS_TOKEN: '0123456789abcdef',
      GAPURA_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.4',
      GAPURA_TLS_CERT: '/etc/gapura/cert.pem',
      GAPURA_TLS_KEY: '/etc/gapura/key.pem',
      GAPURA_OPERATIONS_PORT: '9090',
      GAPURA_OPERATIONS_HOST: '::',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      GAPURA_COMPRESS_MESSAGES: 'false',
      GAPURA_LOG_RETENTION_DAYS: '400',
      GAPURA_SHUTDOWN_DELAY_SECONDS: '20',
      GAPURA_CALLBACK_RETENTION_DAYS: '500',
      GAPURA_REQUEST_RETENTION_DAYS: '45',
      GAPURA_SESSION_RETENTION_DAYS: '7',
      GAPURA_CUSTOMER_RETENTION_DAYS: '730',
      GAPURA_LOG_LEVEL: 'warn',
    }
    expect(readConfig(given)).toEqual({
      host: '::1',
      port: 9000,
      databaseUrl: own.DATABASE_URL,
      directDatabaseUrl: 'postgres://gapura@postgres/gapura',
      migrateDatabaseUrl: 'postgres://gapura_owner@postgres/gapura',
      dataDir: '/var/lib/gapura',
      masterKey: key,
      newMasterKey: Buffer.alloc(32, 8),
      publicUrl: 'https://pay.example.com',
      publicIp: '198.51.100.27',
      role: 'worker',
      webhookAllowPrivate: false,
      compressMessages: false,
      sandboxPort: 9100,
      docsEditUrl: 'https://git.example.com/gapura/edit/main',
      smtpUrl: 'smtps://user:secret@mail.example.com',
      mailFrom: 'Payments <pay@example.com>',
      noticeWebhook: { url: 'https://alerts.example.com/gapura', secret: `whsec_${'A'.repeat(32)}` },
      metricsToken: '0123456789abcdef',
      trustedProxies: ['10.0.0.0/8', 'fd00::/8', '192.0.2.4'],
      tls: { certFile: '/etc/gapura/cert.pem', keyFile: '/etc/gapura/key.pem' },
      shutdownDelaySeconds: 20,
      retention: {
        callbackDays: 500,
        attemptDays: 400,
        eventDays: undefined,
        requestDays: 45,
        sessionDays: 7,
        customerDays: 730,
      },
      operations: { host: '::', port: 9090 },
      tracing: { ratio: 0.25 },
      logLevel: 'warn',
    })
  })

  test('by default, a service with an external database accepts requests for five more seconds after a stop signal', () => {
    expect(readConfig(own).shutdownDelaySeconds).toBe(5)
    expect(readConfig({ ...own, GAPURA_SHUTDOWN_DELAY_SECONDS: '0' }).shutdownDelaySeconds).toBe(0)
  })

  test('the configuration treats an empty environment variable as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', GAPURA_ROLE: '' })).toEqual(readConfig({}))
  })

  test('the default public URL consists of the service’s host and port, even with IPv6 or TLS', () => {
    expect(readConfig({ HOST: '::1', PORT: '9000' }).publicUrl).toBe('http://[::1]:9000')
    const tls = { GAPURA_TLS_CERT: 'cert.pem', GAPURA_TLS_KEY: 'key.pem' }
    expect(readConfig({ ...tls, PORT: '9000' }).publicUrl).toBe('https://127.0.0.1:9000')
  })

  test('by default, the sandbox’s port is the service’s port plus one', () => {
    expect(readConfig({ PORT: '9000' }).sandboxPort).toBe(9001)
  })

  test('the configuration accepts database URLs that start with postgresql://', () => {
    expect(readConfig({ ...own, DATABASE_URL: 'postgresql://db/gapura' }).databaseUrl).toBe(
      'postgresql://db/gapura',
    )
  })

  test('command-line options override environment variables in the configuration', () => {
    expect(readConfig({ ...own, GAPURA_ROLE: 'api' }, { GAPURA_ROLE: 'worker' }).role).toBe('worker')
    expect(readConfig({ ...own, GAPURA_ROLE: 'api' }, { GAPURA_ROLE: undefined }).role).toBe('api')
  })

  test('the configuration ignores unknown environment variables', () => {
    expect(readConfig({ HOME: '/root', NODE_ENV: 'test' })).toEqual(readConfig({}))
  })
})

describe('an invalid configuration is rejected with an error', () => {
  test.each<[string, NodeJS.ProcessEnv]>([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80.5' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db' }],
    ['GAPURA_DIRECT_DATABASE_URL', { ...own, GAPURA_DIRECT_DATABASE_URL: 'db:5432' }],
    ['GAPURA_DIRECT_DATABASE_URL', { GAPURA_DIRECT_DATABASE_URL: own.DATABASE_URL }],
    ['GAPURA_TLS_CERT, GAPURA_TLS_KEY', { GAPURA_TLS_CERT: 'cert.pem' }],
    ['GAPURA_TLS_CERT, GAPURA_TLS_KEY', { GAPURA_TLS_KEY: 'key.pem' }],
    ['GAPURA_MIGRATE_DATABASE_URL', { GAPURA_MIGRATE_DATABASE_URL: own.DATABASE_URL }],
    ['GAPURA_TRUSTED_PROXIES', { GAPURA_TRUSTED_PROXIES: 'balancer' }],
    ['GAPURA_TRUSTED_PROXIES', { GAPURA_TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['GAPURA_TRUSTED_PROXIES', { GAPURA_TRUSTED_PROXIES: '10.0.0.1,' }],
    ['GAPURA_MASTER_KEY', { DATABASE_URL: own.DATABASE_URL }],
    ['GAPURA_MASTER_KEY', { ...own, GAPURA_MASTER_KEY: 'c2hvcnQ=' }],
    ['GAPURA_MASTER_KEY', { ...own, GAPURA_MASTER_KEY: key.toString('hex') }],
    ['GAPURA_PUBLIC_URL', { GAPURA_PUBLIC_URL: 'pay.example.com' }],
    ['GAPURA_PUBLIC_URL', { GAPURA_PUBLIC_URL: 'ftp://pay.example.com' }],
    ['GAPURA_PUBLIC_IP', { GAPURA_PUBLIC_IP: 'pay.example.com' }],
    ['GAPURA_PUBLIC_IP', { GAPURA_PUBLIC_IP: '2001:db8::1' }],
    ['GAPURA_ROLE', { GAPURA_ROLE: 'everything' }],
    ['GAPURA_ROLE', { GAPURA_ROLE: 'worker' }],
    ['GAPURA_ROLE', { GAPURA_ROLE: 'api' }],
    ['GAPURA_WEBHOOK_ALLOW_PRIVATE', { GAPURA_WEBHOOK_ALLOW_PRIVATE: 'yes' }],
    ['GAPURA_SANDBOX_PORT', { GAPURA_SANDBOX_PORT: '-1' }],
    ['GAPURA_NEW_MASTER_KEY', { ...own, GAPURA_NEW_MASTER_KEY: 'c2hvcnQ=' }],
    ['GAPURA_SMTP_URL', { GAPURA_SMTP_URL: 'mail.example.com:25' }],
    ['GAPURA_SMTP_URL', { GAPURA_SMTP_URL: 'smtps://user:se/cret@mail.example.com:465' }],
    ['GAPURA_NOTICE_WEBHOOK_URL', { GAPURA_NOTICE_WEBHOOK_URL: 'https://user:secret@alerts.example.com' }],
    ['GAPURA_NOTICE_WEBHOOK_URL', { GAPURA_NOTICE_WEBHOOK_URL: 'https://user@alerts.example.com' }],
    ['GAPURA_NOTICE_WEBHOOK_SECRET', { GAPURA_NOTICE_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }],
    [
      'GAPURA_NOTICE_WEBHOOK_URL, GAPURA_NOTICE_WEBHOOK_SECRET',
      { GAPURA_NOTICE_WEBHOOK_URL: 'https://alerts.example.com' },
    ],
    ['GAPURA_NOTICE_WEBHOOK_URL', { GAPURA_NOTICE_WEBHOOK_URL: 'alerts.example.com' }],
    ['GAPURA_METRICS_TOKEN', { GAPURA_METRICS_TOKEN: '0123456789abcde' }],
    ['GAPURA_METRICS_TOKEN', { GAPURA_METRICS_TOKEN: '0123456789 abcdef' }],
    ['GAPURA_LOG_RETENTION_DAYS', { GAPURA_LOG_RETENTION_DAYS: '89' }],
    ['GAPURA_LOG_RETENTION_DAYS', { GAPURA_LOG_RETENTION_DAYS: '1 year' }],
    ['GAPURA_SHUTDOWN_DELAY_SECONDS', { GAPURA_SHUTDOWN_DELAY_SECONDS: '301' }],
    ['GAPURA_SHUTDOWN_DELAY_SECONDS', { GAPURA_SHUTDOWN_DELAY_SECONDS: '5s' }],
    ['GAPURA_CALLBACK_RETENTION_DAYS', { GAPURA_CALLBACK_RETENTION_DAYS: '89' }],
    ['GAPURA_WEBHOOK_RETENTION_DAYS', { GAPURA_WEBHOOK_RETENTION_DAYS: '89' }],
    ['GAPURA_REQUEST_RETENTION_DAYS', { GAPURA_REQUEST_RETENTION_DAYS: '29' }],
    ['GAPURA_SESSION_RETENTION_DAYS', { GAPURA_SESSION_RETENTION_DAYS: '0' }],
    ['GAPURA_LOG_LEVEL', { GAPURA_LOG_LEVEL: 'loud' }],
  ])('the configuration error names the invalid variable %s of the environment %j', (name, env) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: `))
  })

  test('the configuration error names all invalid variables in one line', () => {
    expect(() => readConfig({ PORT: 'http', GAPURA_ROLE: 'x' })).toThrow(
      /^PORT: [^\n]+; GAPURA_ROLE: [^\n]+$/,
    )
  })

  test("the configuration error does not contain an invalid secret's value", () => {
    const secret = Buffer.alloc(31, 9).toString('base64')
    expect(() => readConfig({ ...own, GAPURA_MASTER_KEY: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    )
    for (const env of [
      { GAPURA_METRICS_TOKEN: 's3cret' },
      { GAPURA_SMTP_URL: 'smtps://user:s3cret/@mail.example.com' },
      { GAPURA_NOTICE_WEBHOOK_URL: 'https://user:s3cret@alerts.example.com' },
    ])
      expect(() => readConfig(env)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
      )
  })
})
