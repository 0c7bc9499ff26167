// The import rules from docs/architecture.md, for dependency-cruiser. `npm run check` verifies them, including for
// type-only imports. packages/server/test/architecture.test.ts contains the rules about the text of the code.

import { readFileSync } from 'node:fs'
import { allExtensions } from 'dependency-cruiser'

// dependency-cruiser needs a TypeScript version it supports. Otherwise, it would read no TypeScript file and report
// no violation.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available))
  throw new Error('dependency-cruiser cannot read TypeScript; check which versions it supports')

const { exports } = JSON.parse(
  readFileSync(new URL('../packages/server/package.json', import.meta.url), 'utf8'),
)

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

/**
 * Returns regular expressions for paths in the service's source code. A path is a file (`file.ts`) or a folder
 * (`folder/`).
 */
const service = (...paths) => paths.map(path => `^packages/server/src/${path.replaceAll('.', '\\.')}`)
const anything = service('')
const library = name => `/node_modules/${name}`

const partsBelowPayments = '(routing|provider-accounts|ledger|webhooks)/'
const routers = '\\.router\\.ts$'
const sql = '\\.sql\\.ts$'

/** Modules without side effects that every module may import. */
const nouns = [
  ...['money', 'mobile-number', 'mode', 'id', 'time', 'equal-secret'].map(name => `values/${name}.ts`),
  ...['errors', 'fault', 'rule'].map(name => `faults/${name}.ts`),
  ...['method', 'payment', 'payment-code'].map(name => `payments/${name}.ts`),
]
const providerInterface = [
  ...['provider', 'http-client', 'lenient-fields', 'unreadable-message'],
  ...['refund', 'refund-outcome', 'refund-terms', 'rejection'],
].map(name => `providers/${name}.ts`)
/** The modules that a provider adapter may import. The pattern $1 is replaced by the adapter's name. */
const knownToProviders = service(...nouns, ...providerInterface, 'providers/$1/')

const domain = [
  rule(
    'the folders routing, provider-accounts, ledger and webhooks never import one another',
    { path: service(partsBelowPayments) },
    { path: service(partsBelowPayments), pathNot: service('$1/') },
  ),
  rule(
    'the folders routing, provider-accounts, ledger and webhooks import nothing from callbacks, jobs and http, and only payment methods and the input schema of payment IDs from payments',
    { path: service(partsBelowPayments) },
    {
      path: service('(payments|callbacks|jobs|http)/'),
      pathNot: service('payments/(method|payment-id-input).ts'),
    },
  ),
  rule(
    'payments import nothing above them',
    { path: service('payments/') },
    { path: service('(callbacks|inbox|reports|settlements|jobs|http)/') },
  ),
  rule(
    'only routers import the API',
    { path: anything, pathNot: [...service('(api|openapi|http)/', 'router.ts'), routers] },
    { path: service('api/') },
  ),
  rule(
    'only main, its startup message and the commands import compose.ts, main.ts and demo.ts',
    {
      path: anything,
      pathNot: service('main.ts', 'startup/startup-message.ts', 'commands/(main|program).ts'),
    },
    { path: service('compose.ts', 'main.ts', 'demo/demo.ts') },
  ),
]

/**
 * The layers of the service, from bottom to top. A path belongs to the first layer that matches it. A module
 * imports only from its own layer and lower layers.
 */
const layers = [
  ['values/', 'faults/', 'retention/retention\\.ts', '(config|repository|version)\\.ts'],
  ['fairness/', 'logging/', 'tracing/'],
  ['db/'],
  ['secrets/', 'mail/', 'compression/'],
  [
    'payments/(method|payment|payment-code|accepted-event|qr-code|status-page-url)\\.ts',
    'providers/',
    // The fee formulas belong to the same layer as payments, because each payment stores the formula of its
    // fee.
    'fees/(price|fee|fee-rule|stored-fee-rule|fee-schedule|fee-reason|below-cost)\\.ts',
  ],
  ['tenants/(tenant(\\.sql)?|tenant-scope|(managed|visible)-tenant)\\.ts', 'limits/limits(\\.sql)?\\.ts'],
  ['audit/(?!.*router)'],
  ['(provider-accounts|routing|ledger|webhooks|auth)/(?!.*router)'],
  ['(limits|tenants)/(?!.*router)'],
  [
    'payments/(payment|provider-payment-id|attempt|inquiry-schedule)(?!.*router)',
    'payments/read/timeline\\.ts',
    'fees/(fee-charge|returned-fee|fee-schedule|partner-margin|credit-partner-margins)(\\.sql)?\\.ts',
  ],
  ['payments/record/'],
  ['payments/(?!.*router)'],
  ['configuration/(change-listener|cache)\\.ts'],
  [
    '(callbacks|fees|inbox|support|customers|reports|settlements|daily-reconciliation|verification|retention|live|request-log|notices|branding)/(?!.*router)',
  ],
  ['configuration/'],
  ['app\\.ts'],
  ['api/'],
  ['[a-z/-]+/[a-z.-]*router\\.ts'],
  ['router\\.ts'],
  ['openapi/'],
  ['metrics/', 'docs/', 'http/', 'jobs/'],
  ['compose\\.ts', 'demo/', 'startup/', 'commands/', 'main\\.ts'],
].map(paths => paths.map(path => `^packages/server/src/${path}`))

const upwards = [
  ...layers
    .slice(0, -1)
    .map((paths, level) =>
      rule(
        `layer ${level + 1} of the service imports nothing from the layers above it`,
        { path: paths, pathNot: layers.slice(0, level).flat() },
        { path: anything, pathNot: layers.slice(0, level + 1).flat() },
      ),
    ),
  rule('every module of the service belongs to a layer', { path: anything, pathNot: layers.flat() }, {}),
]

const documentation = [
  rule(
    'the documentation imports nothing of the service except where its files are, and what writes and sends HTML',
    { path: service('docs/') },
    {
      path: anything,
      pathNot: service('docs/', 'http/pages/resource.ts', 'repository.ts', 'values/html.ts'),
    },
  ),
  rule(
    'only the module that mounts the documentation imports the folder docs',
    { path: anything, pathNot: service('docs/', 'http/pages/docs.ts') },
    { path: service('docs/') },
  ),
]

const providers = [
  rule(
    'a provider imports only the provider interface, basic modules without side effects, and its own folder',
    {
      path: service('providers/([^/]+)/'),
      pathNot: service('providers/doku/', 'providers/snap/channels.ts'),
    },
    { path: anything, pathNot: knownToProviders },
  ),
  rule(
    'DOKU may also import SNAP, a protocol that several acquirers use',
    { path: service('providers/(doku)/') },
    { path: anything, pathNot: [...knownToProviders, ...service('providers/snap/')] },
  ),
  rule(
    'the SNAP channels may also import the Midtrans acquirers, because Midtrans offers SNAP with the same limits',
    { path: service('providers/(snap)/channels.ts') },
    { path: anything, pathNot: [...knownToProviders, ...service('providers/midtrans/acquirers.ts')] },
  ),
  rule(
    'only the registry imports providers',
    { path: anything, pathNot: service('providers/[^/]+/', 'providers/registry.ts') },
    { path: service('providers/[^/]+/') },
  ),
  rule(
    'only compose imports the registry',
    { path: anything, pathNot: service('compose.ts') },
    { path: service('providers/registry.ts') },
  ),
]

const libraries = [
  ['Knex', 'knex/', [...service('db/'), sql]],
  ['Koa', '(koa|@koa)/', service('http/')],
  ['tRPC', '(@trpc|trpc-to-openapi)/', [...service('(api|openapi|http)/', 'router.ts'), routers]],
  ['argon2', '[^.]*argon2', service('auth/passwords/password-hash.ts$')],
  [
    'prom-client',
    'prom-client/',
    [...service('app.ts', 'metrics/', 'provider-accounts/provider-health.ts'), '-metrics\\.ts$'],
  ],
  ['OpenTelemetry', '@opentelemetry/', service('tracing/')],
  ['marked', 'marked/', service('docs/')],
  ['highlight.js', 'highlight\\.js/', service('docs/')],
  ['pino', 'pino/', service('logging/', 'app.ts', 'compose.ts', 'main.ts')],
].map(([title, name, users]) =>
  rule(
    `${title} is imported only where it belongs`,
    { path: anything, pathNot: users },
    { path: library(name) },
  ),
)

const memory = [
  rule(
    'the WebAuthn library is imported dynamically, because loading its 290 modules takes 8 MB of memory',
    { path: anything },
    { path: library('@simplewebauthn/'), dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
  ),
]

const packages = [
  rule(
    'server and sandbox never import each other, because tests could not detect a mistake in shared code',
    { path: '^packages/(server|sandbox)/' },
    { path: '^packages/(server|sandbox)/', pathNot: '^packages/$1/' },
  ),
  rule(
    'every import in the service is a production dependency',
    { path: anything },
    { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
  ),
  rule(
    'the dashboard imports from the service only what its package exports',
    { path: '^packages/dashboard/' },
    {
      path: '^packages/server/',
      pathNot: Object.values(exports).map(
        path => `^packages/server/${path.slice(2).replaceAll('.', '\\.')}$`,
      ),
    },
  ),
  rule(
    'the dashboard imports only types from the API',
    { path: '^packages/dashboard/' },
    { path: service('(api|openapi)/', 'router.ts'), dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'the dashboard imports no repository package except the service',
    { path: '^packages/dashboard/' },
    { path: '^packages/', pathNot: '^packages/(dashboard|server)/' },
  ),
  rule('the service does not import the dashboard', { path: anything }, { path: '^packages/dashboard/' }),
  rule(
    'published packages do not import the service or the sandbox',
    { path: '^packages/(sdk|cli)/' },
    { path: '^packages/(server|sandbox)/' },
  ),
  rule(
    "the fault test's checker imports only pg, zlib and, from the service that it checks, the dictionaries of compressed messages",
    { path: '^faults/checker/' },
    {
      pathNot: [
        '^faults/checker/',
        library('pg/'),
        '^(node:)?zlib$',
        ...service('compression/dictionaries.ts'),
      ],
    },
  ),
]

export default {
  forbidden: [
    rule('no import cycles', {}, { circular: true }),
    // Forbids imports that cannot be resolved, because no other rule would match them.
    rule('every import is found', {}, { couldNotResolve: true }),
    ...domain,
    ...upwards,
    ...documentation,
    ...providers,
    ...libraries,
    ...memory,
    ...packages,
  ],
  options: {
    exclude: '\\.test\\.tsx?$|/contract-data\\.ts$',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
