// npm run release -- [--dry-run] [--tarballs <directory>]: packs, checks, and publishes the packages to npm.
//
// Skips versions that are already published. If a release stops halfway, run the command again to continue. `--dry-run`
// publishes nothing. `--tarballs` keeps the tarballs in the directory.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = dirname(import.meta.dirname)
/** The packages to publish. Each package comes after the packages it depends on. */
const names = ['sdk', 'cli', 'sandbox', 'server']

const { values: options } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, tarballs: { type: 'string' } },
})
const isDryRun = options['dry-run']
const directory = options.tarballs
  ? resolve(root, options.tarballs)
  : mkdtempSync(join(tmpdir(), 'gapura-release-'))
mkdirSync(directory, { recursive: true })

try {
  release()
} catch (error) {
  // Prints the error message without a stack trace, because a failed command has already printed the reason.
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
} finally {
  if (!options.tarballs) rmSync(directory, { recursive: true, force: true })
}

function release() {
  const changed = run('git', ['status', '--porcelain'])
  if (changed && !isDryRun) throw new Error(`commit or remove these changes first:\n${changed}`)
  // Packing the server only removes its types, and does not check them.
  run('npm', ['run', '--silent', 'types'])
  run('node', ['scripts/pack.mjs', directory, ...names])
  const packages = names.map(read)
  for (const each of packages) check(each)
  for (const each of packages) publish(each)
}

function read(name) {
  const tarball = join(directory, `${name}.tgz`)
  const manifest = JSON.parse(run('tar', ['-xzOf', tarball, 'package/package.json']))
  return { tarball, manifest, id: `${manifest.name}@${manifest.version}` }
}

function check({ tarball, manifest, id }) {
  run('publint', ['run', '--strict', tarball])
  // The SDK supports every module system. The other packages contain only ES modules, so their types are checked only
  // for ES modules.
  const profile = manifest.name === '@gapura/sdk' ? 'strict' : 'esm-only'
  if (hasTypes(manifest)) run('attw', ['--profile', profile, tarball])
  if (hasProvenance() && !manifest.repository)
    throw new Error(`${id}: provenance requires the field "repository" in package.json`)
}

function hasTypes({ exports }) {
  return JSON.stringify(exports ?? {}).includes('"types"')
}

/**
 * Returns whether this environment can prove which commit was built. GitHub Actions and GitLab can, using an
 * identity token.
 */
function hasProvenance() {
  return Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL || process.env.SIGSTORE_ID_TOKEN)
}

function publish({ tarball, id }) {
  if (isPublished(id)) return say(`${id} is already published`)
  const provenance = hasProvenance() ? ['--provenance'] : []
  const files = run('tar', ['-tzf', tarball]).split('\n').length
  const description = `${id}: ${files} files, ${provenance.length > 0 ? 'with' : 'without'} provenance`
  if (isDryRun) return say(`would publish ${description}`)
  // The npm command uses this terminal, because npm may ask for a one-time password.
  execFileSync('npm', ['publish', tarball, '--access', 'public', ...provenance], {
    cwd: root,
    stdio: 'inherit',
  })
  run('git', ['tag', id])
  say(`published ${description}`)
}

function isPublished(id) {
  try {
    return run('npm', ['view', id, 'version'], 'pipe') !== ''
  } catch (error) {
    if (String(error.stderr).includes('E404')) return false
    throw error
  }
}

/**
 * Runs a command and returns its output. If the command fails, the error contains the output, because some commands
 * print problems to stdout.
 */
function run(command, args, stderr = 'inherit') {
  try {
    const stdio = ['ignore', 'pipe', stderr]
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio }).trim()
  } catch (error) {
    error.message += `\n${error.stdout ?? ''}`
    throw error
  }
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
