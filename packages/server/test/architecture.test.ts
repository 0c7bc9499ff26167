// Checks the rules about the text of the source code. compatibility/imports.mjs has the rules about imports.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults } from '../src/faults/catalogue.ts'

const server = join(import.meta.dirname, '..')
const packages = join(server, '..')

/** A source file. `loads` has the imports that remain at run time, without type-only imports. */
type Source = { path: string; text: string; loads: string[] }

/**
 * Reads the source files. Paths and imports are relative to `root`, with / as the separator. Packages keep their names.
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

test('the scanner of imports finds the imports of a known file', () => {
  const found = code.find(({ path }) => path === 'src/payments/record/record-event.ts')?.loads
  expect(found).toContain('src/ledger/ledger.sql.ts')
  expect(code.length).toBeGreaterThan(50)
})

test('a provider adapter converts amounts only in its translation code, and its limits are written in rupiah', () => {
  const ofProviders = code.filter(({ path }) => /^src\/providers\/[^/]+\//.test(path))
  expect(ofProviders.length).toBeGreaterThan(20)
  // Xendit's webhooks have so many formats that they are translated in a separate file.
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

test('SQL is sent only from *.sql.ts files, db/ and the listener for configuration changes', () => {
  const senders = /\.sql\.ts$|^src\/db\/|^src\/configuration\/change-listener\.ts$/
  const files = code.filter(({ path, text }) => /\.raw\s*[<(]/.test(text) && !senders.test(path))
  expect(files.map(({ path }) => path)).toEqual([])
})

test('environment variables are read only in config.ts, and passed on only to programs that the service starts', () => {
  const files = code.filter(({ text }) => /process\.env/.test(text))
  expect(files.map(({ path }) => path).sort()).toEqual([
    'src/config.ts',
    'src/db/embedded/postgres-binaries.ts',
    'src/demo/sandbox-process.ts',
  ])
})

describe('the internals of a library', () => {
  const internals = [
    [
      'pg',
      'src/db/pg-internals.ts',
      /\b_activeQuery\b|\bparsedStatements\b|\bpg\.Query\b|\.connection\.stream\b/,
    ],
    ['graphile-worker', 'src/db/job-queue.sql.ts', /graphile_worker\._private/],
  ] as const

  test.each(internals)('of %s are used in only one file', (_, file, internal) => {
    expect(code.filter(({ text }) => internal.test(text)).map(({ path }) => path)).toEqual([file])
  })

  test.each(internals)('of %s were read in the installed version', (name, file) => {
    const { dependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
    const comment = code
      .find(({ path }) => path === file)
      ?.text.split('\n\n')[0]
      ?.replaceAll('\n//', '')
    expect(comment).toContain(`${name} ${dependencies[name]}`)
  })
})

describe('an error of the service', () => {
  const isCatalogue = (path: string) => path.startsWith('src/faults/')

  test('is thrown from the catalogue of errors, so that each language has a text for it', () => {
    const makers = code.filter(({ text }) => /new GatewayError\(/.test(text)).map(({ path }) => path)
    expect(makers).toEqual(['src/faults/fault.ts'])
  })

  test('is thrown by some code if the catalogue of errors has it', () => {
    const texts = code.filter(({ path }) => !isCatalogue(path)).map(({ text }) => text)
    const named = (id: string) => texts.some(text => text.includes(`'${id}'`))
    expect(Object.keys(faults).length).toBeGreaterThan(150)
    expect(Object.keys(faults).filter(id => !named(id))).toEqual([])
  })
})

describe('a secret in the service’s code', () => {
  /** Matches names of secrets by their last part, such as `token`, `account.secret_key` or `expectedSignature`. */
  const secretive = /(?:^|[._])?(?:\w*(?:secret|signature|token|password|digest|hash|hmac|mac))$/i
  const constant = /^(?:undefined|null|true|false|''|`|'[^']*'|-?\d\w*|[A-Z][A-Z_]+)$/
  /** Returns `file: comparison` for each comparison of a secret with a value that is not a constant. */
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
      // Compares the two passwords that the user of the CLI typed.
      'src/password.ts: repeated !== newPassword',
    ])
  })

  test('of a provider’s callback is compared by the shared constant-time function in every adapter', () => {
    const callers = code
      .filter(({ loads }) => loads.includes('src/values/equal-secret.ts'))
      .map(({ path }) => path)
    for (const provider of ['doku', 'duitku', 'midtrans', 'snap', 'tripay', 'xendit'])
      expect(callers).toContainEqual(expect.stringMatching(`^src/providers/${provider}/`))
  })
})

test('code that the service shares with browsers imports only zod and code that needs no server', () => {
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
  // The code imports no node: module, no other package and no missing file.
  expect(files.filter(name => !code.some(({ path }) => path === name))).toEqual([])
  const ofServer = /\b(process|Buffer|require|setImmediate|__dirname)\b|\bimport\.meta\b/
  const texts = code.filter(({ path }) => reached.has(path)).map(({ path, text }) => [path, text] as const)
  expect(texts.filter(([, text]) => ofServer.test(text)).map(([path]) => path)).toEqual([])
})

describe('docs/architecture.md', () => {
  const page = readFileSync(join(packages, '../docs/architecture.md'), 'utf8')
  const roots = ['packages/server/src', 'packages/server', '.', 'docs'].map(path =>
    join(packages, '..', path),
  )

  test('names only files and folders of the service that exist', () => {
    const named = [...page.matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\/|\.ts))`/g)].map(([, path = '']) => path)
    // If a file is named without its folder, it is in the folder that the sentence names.
    const within = named.filter(path => /\/./.test(path))
    expect(within.length).toBeGreaterThan(60)
    expect(within.filter(path => !roots.some(root => existsSync(join(root, path))))).toEqual([])
  })

  test('has a line for every folder of the service', () => {
    const folders = readdirSync(join(server, 'src'), { withFileTypes: true }).filter(each =>
      each.isDirectory(),
    )
    expect(folders.map(({ name }) => name).filter(name => !page.includes(`\`${name}/\``))).toEqual([])
  })
})

test('no file of the repository is longer than 400 lines', () => {
  const files = [
    ...sources,
    ...sourcesBelow(server, 'test'),
    ...sourcesBelow(join(packages, 'dashboard'), 'src'),
  ]
  const long = files.filter(({ text }) => text.split('\n').length > 401)
  expect(long.map(({ path }) => path)).toEqual([])
})

describe('a test that runs in its own worker', () => {
  const shared = [...sources, ...sourcesBelow(server, 'test')].filter(
    ({ path }) => /\.test\.ts$/.test(path) && !/\.isolated\.test\.ts$/.test(path),
  )
  const pathsOf = (files: Source[]) => files.map(({ path }) => path)

  test('is the only kind that mocks a module', () => {
    expect(shared.length).toBeGreaterThan(50)
    // Test files in a shared worker must not mock modules. A mock would also affect later files, and might not apply if
    // an earlier file has loaded the module.
    expect(pathsOf(shared.filter(({ text }) => /\bvi\.(mock|doMock)\(/.test(text)))).toEqual([])
  })

  test('is the only kind that changes a value of the service for the whole file', () => {
    const isChanging = ({ text }: Source) => {
      const imported = [...text.matchAll(/^import \{([^}]*)\} from '\.[^']*'/gm)].flatMap(([, names = '']) =>
        names.split(',').map(name => name.trim()),
      )
      return [...text.matchAll(/^(\w+)(?:\.\w+)+ = /gm)].some(([, name = '']) => imported.includes(name))
    }
    const isolated = sourcesBelow(server, 'test').filter(({ path }) => /\.isolated\.test\.ts$/.test(path))
    expect(pathsOf(isolated.filter(isChanging))).toContain('test/journeys/overload.isolated.test.ts')
    expect(pathsOf(shared.filter(isChanging))).toEqual([])
  })
})
