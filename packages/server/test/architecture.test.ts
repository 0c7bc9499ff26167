// Checks rules about the text of the source code, such as in which files SQL may be sent. The rules about
// imports are in compatibility/imports.mjs.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults } from '../src/faults/catalogue.ts'

const server = join(import.meta.dirname, '..')
const packages = join(server, '..')

/**
 * A source file. `loads` contains all of its imports except type-only imports, which do not exist at run
 * time.
 */
type Source = { path: string; text: string; loads: string[] }

/**
 * Reads the source files in a folder. Paths and imports are relative to `root` and use / as the separator.
 * The import of a package is given as the package's name.
 */
function sourcesBelow(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map(entry => {
      const file = join(entry.parentPath, entry.name)
      const text = readFileSync(file, 'utf8')
      const loaded = text.replaceAll(/^(?:import|export) type\b[^'"`]*?from '[^']+'/gm, '')
      return {
        path: slashed(relative(root, file)),
        text,
        loads: namesOfImports(loaded).map(name =>
          name.startsWith('.') ? slashed(relative(root, join(dirname(file), name))) : name,
        ),
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

test('the import scanner that these tests use finds a known import in src/payments/record/write-batch.ts', () => {
  const found = code.find(({ path }) => path === 'src/payments/record/write-batch.ts')?.loads
  expect(found).toContain('src/ledger/ledger.sql.ts')
  expect(code.length).toBeGreaterThan(50)
})

test('a provider adapter may import amount conversion functions, except rupiah(), only in its translate.ts or webhook.ts', () => {
  const ofProviders = code.filter(({ path }) => /^src\/providers\/[^/]+\//.test(path))
  expect(ofProviders.length).toBeGreaterThan(20)
  // Adapters may also convert amounts in webhook.ts, because the Xendit adapter translates Xendit's many
  // webhook formats in this file.
  const files = ofProviders.filter(({ path }) => !/\/(translate|webhook)\.ts$/.test(path))
  const converting = files.filter(({ text }) => {
    const names = /import (?:type )?\{([^}]*)\} from '[./]*values\/money\.ts'/.exec(text)?.[1] ?? ''
    return names
      .split(',')
      .map(name => name.replace('type', '').trim())
      .some(name => name !== '' && name !== 'Cents' && name !== 'rupiah')
  })
  expect(converting.map(({ path }) => path)).toEqual([])
})

test('SQL is sent only from *.sql.ts files, db/, and the configuration change listener', () => {
  const senders = /\.sql\.ts$|^src\/db\/|^src\/configuration\/change-listener\.ts$/
  const files = code.filter(({ path, text }) => /\.raw\s*[<(]/.test(text) && !senders.test(path))
  expect(files.map(({ path }) => path)).toEqual([])
})

test('only config.ts reads environment variables, and only two other files pass them on to programs that the service starts', () => {
  const files = code.filter(({ text }) => /process\.env/.test(text))
  expect(files.map(({ path }) => path).sort()).toEqual([
    'src/config.ts',
    'src/db/embedded/postgres-binaries.ts',
    'src/demo/sandbox-process.ts',
  ])
})

test('only src/repository.ts derives paths from its own location, because files have other locations in the built package', () => {
  // These programs run only in a checkout.
  const programs = [
    'src/db/migrate/dump-schema.ts',
    'src/openapi/check-baseline.ts',
    'src/openapi/write-document.ts',
  ]
  const own = code.filter(({ path, text }) => {
    // Two uses are allowed: createRequire only finds packages, and main.ts only compares its own path with that of the
    // started program.
    const rest = text
      .replaceAll('createRequire(import.meta.url)', '')
      .replace('=== import.meta.filename) await run(readConfig)', '')
    return /import\.meta\.(dirname|filename|url)/.test(rest) && !programs.includes(path)
  })
  expect(own.map(({ path }) => path)).toEqual(['src/repository.ts'])
})

describe('internals of the libraries pg and graphile-worker are used in only one file each', () => {
  const internals = [
    [
      'pg',
      'src/db/pg-internals.ts',
      /\b_activeQuery\b|\bparsedStatements\b|\bpg\.Query\b|\.connection\.stream\b/,
    ],
    ['graphile-worker', 'src/db/job-queue.sql.ts', /graphile_worker\._private/],
  ] as const

  test.each(internals)(
    'exactly one source file of the service uses internals of the library %s',
    (_, file, internal) => {
      expect(code.filter(({ text }) => internal.test(text)).map(({ path }) => path)).toEqual([file])
    },
  )

  test.each(internals)(
    "if a file uses internals of the library %s, the comment at the start of this file names the library's installed version",
    (name, file) => {
      const { dependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
      const comment = code
        .find(({ path }) => path === file)
        ?.text.split('\n\n')[0]
        ?.replaceAll('\n//', '')
      expect(comment).toContain(`${name} ${dependencies[name]}`)
    },
  )
})

describe('the error catalog contains exactly the errors that the service throws', () => {
  const isCatalogue = (path: string) => path.startsWith('src/faults/')

  test('every error that the service throws comes from the error catalog', () => {
    const makers = code.filter(({ text }) => /new GatewayError\(/.test(text)).map(({ path }) => path)
    expect(makers).toEqual(['src/faults/fault.ts'])
  })

  test("every error in the error catalog is used in the service's code", () => {
    const texts = code.filter(({ path }) => !isCatalogue(path)).map(({ text }) => text)
    const named = (id: string) => texts.some(text => text.includes(`'${id}'`))
    expect(Object.keys(faults).length).toBeGreaterThan(150)
    expect(Object.keys(faults).filter(id => !named(id))).toEqual([])
  })
})

describe('secrets are compared in constant time', () => {
  /**
   * Matches variables that contain a secret. Only the last part of a variable's name is checked, as in
   * `token`, `account.secret_key`, or `expectedSignature`.
   */
  const secretive = /(?:^|[._])?(?:\w*(?:secret|signature|token|password|digest|hash|hmac|mac))$/i
  const constant = /^(?:undefined|null|true|false|''|`|'[^']*'|-?\d\w*|[A-Z][A-Z_]+)$/
  /**
   * Returns each ordinary comparison between a secret and a variable value, in the form `file: comparison`. Such a
   * comparison stops at the first character that differs, so its duration could reveal the secret.
   */
  const comparisonsIn = (root: string): string[] =>
    sourcesBelow(root, 'src')
      .filter(({ path }) => !/\.test\.ts$|contract-data\.ts$|\/generated\//.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/([\w.?]+|'[^']*')(\)*)\s*(?:[!=]==?)\s*\(?(?:await )?([\w.?]+|'[^']*'|`)/g)]
          // A closing parenthesis after a string shows that the string is an argument of a function call. The secret is
          // then compared with the result of this call, not with the string.
          .filter(([, left = '', end, right = '']) => (end || !constant.test(left)) && !constant.test(right))
          .filter(([, left = '', , right = '']) => secretive.test(left) || secretive.test(right))
          .map(([comparison]) => `${path}: ${comparison}`),
      )

  test('every comparison of secrets takes constant time, except for listed comparisons whose duration no attacker can measure', () => {
    expect(['server', 'sdk', 'cli'].flatMap(name => comparisonsIn(join(packages, name)))).toEqual([
      // An ordinary comparison is safe here: the operator typed both passwords, so no attacker can measure
      // how long it takes.
      "src/commands/read-password.ts: 'Repeat the password: ')) !== password",
      // The duration of this comparison reveals no secret of the service, because both values come from the received
      // signature. The code decodes the signature, encodes it again, and compares the result with the received text.
      "src/providers/snap/signature.ts: 'base64') !== signature",
      // Both compared tokens come from the service itself and not from a caller, so a caller learns nothing
      // from the duration of the comparison.
      'src/providers/snap/token.ts: present.token) === token',
      // An ordinary comparison is safe here. The CLI user typed both passwords, so no attacker can measure
      // how long the comparison takes.
      'src/password.ts: repeated !== newPassword',
    ])
  })

  test('every adapter uses the shared constant-time function to compare callback secrets', () => {
    const callers = code
      .filter(({ loads }) => loads.includes('src/values/equal-secret.ts'))
      .map(({ path }) => path)
    for (const provider of ['doku', 'duitku', 'midtrans', 'snap', 'tripay', 'xendit'])
      expect(callers).toContainEqual(expect.stringMatching(`^src/providers/${provider}/`))
  })
})

test('a procedure with an unpaged list of unlimited length counts the list toward the limits for large reads', () => {
  const fewRows = [
    // A payment has one attempt per provider account that was tried.
    'attemptView',
    // The query returns at most 100 callbacks.
    'paymentCallbackView',
    // Only an admin adds versions of a fee schedule.
    'feeHistoryView',
  ]
  const lists = code
    .filter(({ path }) => path.endsWith('.router.ts'))
    .flatMap(({ text }) => text.split(/\n {2}\w+: \w*[pP]rocedure/))
    .flatMap(procedure => {
      const [, view = ''] = /\.output\(z\.array\((\w+)/.exec(procedure) ?? []
      return view ? [{ view, isLimited: procedure.includes('limitWholeList(') }] : []
    })
  expect(lists.filter(({ isLimited }) => isLimited)).toHaveLength(5)
  expect(lists.filter(({ view, isLimited }) => !isLimited && !fewRows.includes(view))).toEqual([])
})

test('code that the service shares with browsers imports only zod and other shared code', () => {
  const { exports } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  const lent = Object.entries<string>(exports).flatMap(([name, path]) =>
    name === '.' ? [] : [path.slice(2)],
  )
  expect(lent).toContain('src/payments/create/create-input.ts')
  const reached = new Set(lent)
  for (const path of reached)
    for (const name of code.find(each => each.path === path)?.loads ?? []) reached.add(name)
  expect(reached).toContain('src/values/money.ts')
  const files = [...reached].filter(name => name !== 'zod')
  // Apart from zod, every import must be a source file of the service. Neither node: modules nor other packages are
  // allowed.
  expect(files.filter(name => !code.some(({ path }) => path === name))).toEqual([])
  const ofServer = /\b(process|Buffer|require|setImmediate|__dirname)\b|\bimport\.meta\b/
  const texts = code.filter(({ path }) => reached.has(path)).map(({ path, text }) => [path, text] as const)
  expect(texts.filter(([, text]) => ofServer.test(text)).map(([path]) => path)).toEqual([])
})

describe("the paths in docs/architecture.md match the service's files and folders", () => {
  const page = readFileSync(join(packages, '../docs/architecture.md'), 'utf8')
  const roots = ['packages/server/src', 'packages/server', '.', 'docs'].map(path =>
    join(packages, '..', path),
  )

  test('every path with a folder that docs/architecture.md mentions exists', () => {
    const named = [...page.matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\/|\.ts))`/g)].map(([, path = '']) => path)
    // Checks only paths that include a folder. A file name without a folder needs no check, because
    // docs/architecture.md names the file's folder in the same sentence.
    const within = named.filter(path => /\/./.test(path))
    expect(within.length).toBeGreaterThan(60)
    expect(within.filter(path => !roots.some(root => existsSync(join(root, path))))).toEqual([])
  })

  test('docs/architecture.md has a line for every folder in the service', () => {
    const folders = readdirSync(join(server, 'src'), { withFileTypes: true }).filter(each =>
      each.isDirectory(),
    )
    expect(folders.map(({ name }) => name).filter(name => !page.includes(`\`${name}/\``))).toEqual([])
  })
})

test('every function that the service exports has a unique name, except in provider adapters', () => {
  // Provider adapters are not checked, because their exported functions have the same names in every adapter.
  const files = code.filter(({ path }) => !/^src\/providers\/[^/]+\//.test(path))
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(500)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('no TypeScript file is longer than 400 lines, except generated files', () => {
  const repository = join(packages, '..')
  const tools = ['adversary', 'bench', 'compatibility', 'faults', 'mutation']
  const files = [...tools, 'packages'].flatMap(folder => sourcesBelow(repository, folder))
  expect(files.length).toBeGreaterThan(sources.length)
  const long = files.filter(
    ({ path, text }) => !/\/(generated|dist)\//.test(path) && text.split('\n').length > 401,
  )
  expect(long.map(({ path }) => path)).toEqual([])
})

describe('only tests that run in their own worker (*.isolated.test.ts) change modules that tests share', () => {
  const isIsolated = /\.isolated(\.heavy)?\.test\.ts$/
  const ofOthers = ['cli', 'dashboard', 'sandbox'].flatMap(name => sourcesBelow(packages, `${name}/src`))
  const shared = [...sources, ...sourcesBelow(server, 'test'), ...ofOthers].filter(
    ({ path }) => /\.test\.ts$/.test(path) && !isIsolated.test(path),
  )
  const pathsOf = (files: Source[]) => files.map(({ path }) => path)

  test('only *.isolated.test.ts files, which run in their own worker, mock modules', () => {
    expect(shared.length).toBeGreaterThan(50)
    // Test files that share a worker must not mock modules, because a mock would also affect later files. Also, a
    // mock may have no effect if an earlier file has already loaded the module.
    expect(pathsOf(shared.filter(({ text }) => /\bvi\.(mock|doMock)\(/.test(text)))).toEqual([])
  })

  test('only *.isolated.test.ts files overwrite properties of imported service objects for the whole file', () => {
    const isChanging = ({ text }: Source) => {
      const imported = [...text.matchAll(/^import \{([^}]*)\} from '\.[^']*'/gm)].flatMap(([, names = '']) =>
        names.split(',').map(name => name.trim()),
      )
      return [...text.matchAll(/^(\w+)(?:\.\w+)+ = /gm)].some(([, name = '']) => imported.includes(name))
    }
    const isolated = sourcesBelow(server, 'test').filter(({ path }) => isIsolated.test(path))
    expect(pathsOf(isolated.filter(isChanging))).toContain('test/journeys/overload.isolated.heavy.test.ts')
    expect(pathsOf(shared.filter(isChanging))).toEqual([])
  })
})
