// Builds the dashboard's pages into the directory dist. If the source files have not changed since the last build, the
// build is skipped.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build } from 'vite'

const here = import.meta.dirname
const stamp = join(here, 'dist', '.made-of')

const sources = [
  'src/**/*',
  'index.html',
  '*.ts',
  'package.json',
  '../../pnpm-lock.yaml',
  '../server/src/**/*.ts',
]

async function fingerprint(): Promise<string> {
  const names = await Array.fromAsync(glob(sources, { cwd: here, withFileTypes: true }))
  const hash = createHash('sha256')
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  // The hash includes file names relative to this folder. With absolute names, the build would count as
  // outdated in a copy of the repository.
  for (const file of files.toSorted()) hash.update(`${relative(here, file)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

const madeOf = await fingerprint()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeOf) {
  process.stderr.write('Building the dashboard …\n')
  const startedMs = Date.now()
  // Tests start this build with NODE_ENV=test, which would include React's development code and make the
  // build one and a half times as large. NODE_ENV is therefore set here.
  process.env.NODE_ENV = 'production'
  await build({ root: here, configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(stamp, madeOf)
  process.stderr.write(`Built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s.\n`)
}
