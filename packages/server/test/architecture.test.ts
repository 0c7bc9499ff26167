// Checks the import rules against the source code.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults } from '../src/faults/catalogue.ts'

const server = join(import.meta.dirname, '..')
const packages = join(server, '..')

/** loads: the imports that remain at run time, without type-only imports. */
type Source = { path: string; text: string; imports: string[]; loads: string[] }

/** Paths and imports are relative to `root`, with / as separator; packages keep their names. */
function sourcesBelow(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map(entry => {
      const file = join(entry.parentPath, entry.name)
      const text = readFileSync(file, 'utf8')
      const named = (code: string) =>
        namesOfImports(code).map(name =>
          name.startsWith('.') ? slashed(relative(root, join(dirname(file), name))) : name,
        )
      return {
        path: slashed(relative(root, file)),
        text,
        imports: named(text),
        loads: named(text.replaceAll(/^(?:import|export) type\b[^'"`]*?from '[^']+'/gm, '')),
      }
    })
}
const namesOfImports = (code: string): string[] =>
  [
    ...code.matchAll(
      /^(?:import|export)\b[^'"`]*?from '([^']+)'|^import '([^']+)'|\b(?:import|require)\(['`]([^'`]+)/gm,
    ),
  ].map(found => (found[1] ?? found[2] ?? found[3]) as string)
const slashed = (path: string) => path.replaceAll('\\', '/')

const sources = sourcesBelow(server, 'src')
const code = sources.filter(({ path }) => !/\.test\.ts$|\/contract-data\.ts$/.test(path))

/** `file → import` for every import that violates a rule. */
const breaches = (files: Source[], breaks: (imported: string, path: string) => boolean): string[] =>
  files.flatMap(({ path, imports }) =>
    imports.filter(imported => breaks(imported, path)).map(imported => `${path} → ${imported}`),
  )
const folderOf = (path: string): string => path.split('/')[1] ?? ''

/** Pure modules that every module may import. */
const nouns = [
  ...['money', 'mobile-number', 'mode', 'errors', 'id', 'time', 'equal', 'faults/fault', 'faults/rule'],
].map(name => `src/${name}.ts`)
const paymentNouns = ['method', 'payment', 'payment-code'].map(name => `src/payments/${name}.ts`)

test('the import scanner finds known imports', () => {
  const found = code.find(({ path }) => path === 'src/payments/record-event.ts')?.imports
  expect(found).toContain('src/ledger/ledger.sql.ts')
  expect(code.length).toBeGreaterThan(50)
})

describe('the domain', () => {
  const below = ['routing', 'provider-accounts', 'ledger', 'webhooks']

  test('keeps its four lower parts independent: none imports another', () => {
    const files = code.filter(({ path }) => below.includes(folderOf(path)))
    const across = (imported: string, path: string) =>
      below.includes(folderOf(imported)) && folderOf(imported) !== folderOf(path)
    expect(breaches(files, across)).toEqual([])
  })

  test('is not imported by its lower parts, which know nothing of payments but the method types', () => {
    const files = code.filter(({ path }) => below.includes(folderOf(path)))
    const upwards = (imported: string) =>
      ['payments', 'callbacks', 'jobs', 'http'].includes(folderOf(imported)) &&
      imported !== 'src/payments/method.ts'
    expect(breaches(files, upwards)).toEqual([])
  })

  test('is layered: payments import no callbacks, inbox, reports, settlements, jobs or HTTP code', () => {
    const files = code.filter(({ path }) => folderOf(path) === 'payments')
    const above = ['callbacks', 'inbox', 'reports', 'settlements', 'jobs', 'http']
    expect(breaches(files, imported => above.includes(folderOf(imported)))).toEqual([])
  })

  test('imports the API in its routers only', () => {
    const files = code.filter(({ path }) => !/^src\/(api|http)\/|\.router\.ts$/.test(path))
    expect(breaches(files, imported => imported.startsWith('src/api/'))).toEqual([])
  })

  test('is assembled by main and compose, which only the command that starts main imports', () => {
    const isRoot = (imported: string) => ['src/compose.ts', 'src/main.ts', 'src/demo.ts'].includes(imported)
    expect(
      breaches(
        code.filter(({ path }) => !['src/main.ts', 'src/commands/main.ts'].includes(path)),
        isRoot,
      ),
    ).toEqual([])
  })
})

test('the documentation package imports only what a browser receives, and only its mount point imports it', () => {
  const inside = code.filter(({ path }) => folderOf(path) === 'docs')
  expect(inside.length).toBeGreaterThan(5)
  const outside = (name: string) => name.startsWith('src/') && folderOf(name) !== 'docs'
  expect(breaches(inside, name => outside(name) && name !== 'src/resource.ts')).toEqual([])
  const others = code.filter(({ path }) => folderOf(path) !== 'docs' && path !== 'src/http/docs.ts')
  expect(breaches(others, name => folderOf(name) === 'docs')).toEqual([])
})

describe('a provider adapter', () => {
  const folder = (path: string) => /^src\/providers\/([^/]+)\//.exec(path)?.[1]
  /**
   * SNAP is a protocol that several acquirers use. Midtrans offers it in addition to its own API, with the same
   * limits.
   */
  const isRelated = (imported: string, path: string) =>
    (folder(path) === 'doku' && folder(imported) === 'snap') ||
    (path === 'src/providers/snap/channels.ts' && imported === 'src/providers/midtrans/acquirers.ts')

  test('imports only the provider interface, request and parsing helpers, domain types and its own files', () => {
    const shared = ['provider', 'request', 'lenient', 'unreadable'].map(name => `src/providers/${name}.ts`)
    const known = [...shared, ...nouns, ...paymentNouns]
    const foreign = (imported: string, path: string) =>
      imported.startsWith('src/') &&
      !known.includes(imported) &&
      folder(imported) !== folder(path) &&
      !isRelated(imported, path)
    expect(
      breaches(
        code.filter(({ path }) => folder(path)),
        foreign,
      ),
    ).toEqual([])
  })

  test('is imported by the registry only, and the registry by compose only', () => {
    const intoFolder = (imported: string, path: string) =>
      Boolean(folder(imported)) && folder(imported) !== folder(path) && !isRelated(imported, path)
    expect(
      breaches(
        code.filter(({ path }) => path !== 'src/providers/registry.ts'),
        intoFolder,
      ),
    ).toEqual([])
    const others = code.filter(({ path }) => path !== 'src/compose.ts')
    expect(breaches(others, imported => imported === 'src/providers/registry.ts')).toEqual([])
  })

  test('converts amounts in its translation code only, and limits are written in rupiah', () => {
    // Xendit's webhooks have so many formats that they are translated in a separate file.
    const files = code.filter(({ path }) => folder(path) && !/\/(translate|webhook)\.ts$/.test(path))
    const converting = files.filter(({ text }) => {
      const names = /import (?:type )?\{([^}]*)\} from '[./]*money\.ts'/.exec(text)?.[1] ?? ''
      return names
        .split(',')
        .map(name => name.replace('type', '').trim())
        .some(name => name !== '' && name !== 'Cents' && name !== 'rupiah')
    })
    expect(converting.map(({ path }) => path)).toEqual([])
  })
})

describe('the use of libraries, SQL and the environment', () => {
  const usersOf = (name: RegExp) =>
    code.filter(({ imports }) => imports.some(each => name.test(each))).map(({ path }) => path)

  test.each([
    ['Knex', /^knex\b/, /^src\/db\/|\.sql\.ts$/],
    ['Koa', /^koa\b|^@koa\//, /^src\/http\//],
    ['tRPC', /^@trpc\/|^trpc-to-openapi/, /^src\/(api|http)\/|\.router\.ts$/],
    ['argon2', /argon2/, /^src\/auth\/password\.ts$/],
    [
      'prom-client',
      /^prom-client$/,
      /^src\/app\.ts$|^src\/metrics\/|-metrics\.ts$|^src\/provider-accounts\/watch-health/,
    ],
    ['OpenTelemetry', /^@opentelemetry\//, /^src\/tracing\//],
    ['marked', /^marked$/, /^src\/docs\//],
    ['highlight.js', /^highlight\.js\b/, /^src\/docs\//],
    ['pino', /^pino\b/, /^src\/(log|app|compose|main)\.ts$/],
  ])('%s is imported only where it belongs', (_, name, place) => {
    const users = usersOf(name)
    expect(users.length).toBeGreaterThan(0)
    expect(users.filter(path => !place.test(path))).toEqual([])
  })

  test('SQL is sent only from *.sql.ts files and db/', () => {
    const files = code.filter(
      ({ path, text }) => /\.raw\s*[<(]/.test(text) && !/\.sql\.ts$|^src\/db\//.test(path),
    )
    expect(files.map(({ path }) => path)).toEqual([])
  })

  test('the environment is read in config.ts only, and passed on only to programs that the service starts', () => {
    const files = code.filter(({ text }) => /process\.env/.test(text))
    expect(files.map(({ path }) => path).sort()).toEqual([
      'src/config.ts',
      'src/db/postgres-binaries.ts',
      'src/sandbox-process.ts',
    ])
  })
})

describe('a fault', () => {
  const isCatalogue = (path: string) => folderOf(path) === 'faults'

  test('is made from the catalogue, so that each language has a text for it', () => {
    const makers = code.filter(({ text }) => /new GatewayError\(/.test(text)).map(({ path }) => path)
    expect(makers).toEqual(['src/faults/fault.ts'])
  })

  test('of the catalogue can occur', () => {
    const texts = code.filter(({ path }) => !isCatalogue(path)).map(({ text }) => text)
    const named = (id: string) => texts.some(text => text.includes(`'${id}'`))
    expect(Object.keys(faults).length).toBeGreaterThan(150)
    expect(Object.keys(faults).filter(id => !named(id))).toEqual([])
  })
})

describe('a secret', () => {
  /** Recognized by the last part of the name: `token`, `account.secret_key`, `expectedSignature`. */
  const secretive = /(?:^|[._])?(?:\w*(?:secret|signature|token|password|digest|hash|hmac|mac))$/i
  const constant = /^(?:undefined|null|true|false|''|`|'[^']*'|-?\d\w*|[A-Z][A-Z_]+)$/
  /**
   * `file: comparison` for every equality in a package's code with a secret on one side and no constant on either.
   */
  const comparisonsIn = (root: string): string[] =>
    sourcesBelow(root, 'src')
      .filter(({ path }) => !/\.test\.ts$|contract-data\.ts$|\/generated\//.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/([\w.?]+|'[^']*')(\)*)\s*(?:[!=]==?)\s*\(?(?:await )?([\w.?]+|'[^']*'|`)/g)]
          // A string before a closing parenthesis is an argument.
          .filter(([, left = '', end, right = '']) => (end || !constant.test(left)) && !constant.test(right))
          .filter(([, left = '', , right = '']) => secretive.test(left) || secretive.test(right))
          .map(([comparison]) => `${path}: ${comparison}`),
      )

  test('is compared in constant time: no comparison stops at the first different character', () => {
    expect(['server', 'sdk', 'cli'].flatMap(name => comparisonsIn(join(packages, name)))).toEqual([
      // Compares the two passwords that the operator typed.
      "src/commands/read-password.ts: 'Repeat the password: ')) !== password",
      // Compares a given value with its own re-encoding.
      "src/providers/snap/signature.ts: 'base64') !== signature",
      // Compares two of our own tokens, neither of which was received.
      'src/providers/snap/token.ts: present.token) === token',
    ])
  })

  test('with which a provider authenticates is compared by the shared constant-time function in every adapter', () => {
    const callers = code.filter(({ imports }) => imports.includes('src/equal.ts')).map(({ path }) => path)
    for (const provider of ['doku', 'duitku', 'midtrans', 'snap', 'tripay', 'xendit'])
      expect(callers).toContainEqual(expect.stringMatching(`^src/providers/${provider}/`))
  })
})

describe('packages', () => {
  const importing = (name: string, forbidden: RegExp) =>
    breaches(sourcesBelow(join(packages, name), 'src'), imported => forbidden.test(imported))

  test('server and sandbox never import each other, so a shared misunderstanding cannot pass every test', () => {
    expect(importing('server', /^@gapura\/sandbox|\.\.\/sandbox\//)).toEqual([])
    expect(importing('sandbox', /^@gapura\/server|\.\.\/server\//)).toEqual([])
  })

  test('every import of the service is a production dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
    const packageOf = (name: string) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] as string
    const undeclared = (name: string) => !/^(node:|src\/|\.)/.test(name) && !(packageOf(name) in dependencies)
    expect(breaches(code, undeclared)).toEqual([])
  })

  test('the code that the service shares with browsers imports only zod and code that needs no server', () => {
    const { exports } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
    const lent = Object.entries<string>(exports).flatMap(([name, path]) =>
      name === '.' ? [] : [path.slice(2)],
    )
    expect(lent).toContain('src/payments/create-input.ts')
    const reached = new Set(lent)
    for (const path of reached)
      for (const name of code.find(each => each.path === path)?.loads ?? []) reached.add(name)
    expect(reached).toContain('src/money.ts')
    const files = [...reached].filter(name => name !== 'zod')
    // No imports of node: modules, other packages or missing files.
    expect(files.filter(name => !code.some(({ path }) => path === name))).toEqual([])
    const ofServer = /\b(process|Buffer|require|setImmediate|__dirname)\b|\bimport\.meta\b/
    const texts = code.filter(({ path }) => reached.has(path)).map(({ path, text }) => [path, text] as const)
    expect(texts.filter(([, text]) => ofServer.test(text)).map(([path]) => path)).toEqual([])
  })

  test('the dashboard imports from the service only types and the code shared with browsers', () => {
    const dashboard = sourcesBelow(join(packages, 'dashboard'), 'src')
    expect(dashboard.length).toBeGreaterThan(100)
    expect(dashboard.filter(({ text }) => /^import \{[^}]*\} from '@gapura\/server'/m.test(text))).toEqual([])
    expect(
      breaches(dashboard, name => /^@gapura\/(sandbox|sdk|cli)|\.\.\/(server|sandbox)\//.test(name)),
    ).toEqual([])
    expect(importing('server', /^@gapura\/dashboard/)).toEqual([])
  })

  test('published packages do not import the service', () => {
    for (const name of ['sdk', 'cli'])
      expect(importing(name, /^@gapura\/(server|sandbox)|\.\.\/(server|sandbox)\//)).toEqual([])
  })
})

test('no file is longer than 400 lines', () => {
  const files = [
    ...sources,
    ...sourcesBelow(server, 'test'),
    ...sourcesBelow(join(packages, 'dashboard'), 'src'),
  ]
  const long = files.filter(({ text }) => text.split('\n').length > 401)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('a test mocks a module only if it runs in its own worker', () => {
  const shared = sources.filter(({ path }) => /\.test\.ts$/.test(path) && !/\.isolated\.test\.ts$/.test(path))
  expect(shared.length).toBeGreaterThan(50)
  // In a shared worker, a mock may or may not apply, depending on which file ran first, and it affects later files.
  expect(shared.filter(({ text }) => /\bvi\.(mock|doMock)\(/.test(text)).map(({ path }) => path)).toEqual([])
})

test('the checker of the fault tests imports nothing from the code that it checks', () => {
  const checker = sourcesBelow(join(packages, '..'), 'faults/checker').filter(
    ({ path }) => !path.endsWith('.test.ts'),
  )
  expect(checker.length).toBeGreaterThan(2)
  const foreign = (imported: string) => !imported.startsWith('faults/checker/') && imported !== 'pg'
  expect(breaches(checker, foreign)).toEqual([])
})
