// node scripts/pack.mjs <directory> <package>…: packs packages in the form in which they are published, as
// <directory>/<package>.tgz.

import { execFileSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'

const packages = join(dirname(import.meta.dirname), 'packages')
const [directory = '.', ...names] = process.argv.slice(2)

for (const name of names) {
  const source = join(packages, name)
  // The files of the service package are first built into a separate directory, which is then packed.
  if (name === 'server') run('node', ['build-package.ts', '--to-publish'], source)
  const tarball = resolve(directory, `${name}.tgz`)
  run(
    'npx',
    ['--yes', 'pnpm@12.21.0', 'pack', '--out', tarball],
    name === 'server' ? join(source, 'dist') : source,
  )
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
