// Creates the directories in which the code of documentation pages runs. A directory contains only what a reader of the
// page has, such as a checkout.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { freePortRange } from '../../packages/server/test/support/free-port.ts'
import { startPostgres } from './postgres.ts'
import type { Place } from './run-page.ts'

const root = join(import.meta.dirname, '../..')

export type MadePlace = Place & { remove(): Promise<void> }

/** Creates a fresh checkout in the directory `gapura`. Node and npm are available, and no packages are installed. */
export async function newcomersPlace(): Promise<MadePlace> {
  const directory = await newDirectory()
  await copyCheckout(join(directory, 'gapura'))
  const ports = await freePorts()
  return {
    directory,
    ports,
    env: { ...baseEnv(directory, ports), PATH: hostPath() },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Creates a checkout whose packages are installed. Its path contains a space. */
export async function installedPlace(): Promise<MadePlace> {
  const parent = await newDirectory('gapura page-')
  const directory = join(parent, 'gapura')
  await copyCheckout(directory)
  const ports = await freePorts()
  const env = { ...baseEnv(parent, ports), PATH: hostPath() }
  await install(directory, withRealHome(env))
  return { directory, ports, env, remove: () => rm(parent, { recursive: true, force: true }) }
}

/** A directory with the packages that an earlier checkout of this test file had installed at the same path. */
let installed: string | undefined
afterAll(async () => {
  if (installed) await rm(installed, { recursive: true, force: true })
})

/**
 * Creates a checkout whose packages are installed, with a PostgreSQL of its own. The Node in PATH is the oldest
 * supported. The next checkout of a test file takes over the packages of the previous one, because installing them takes
 * longer than most pages.
 */
export async function operatorsPlace(): Promise<MadePlace> {
  const parent = installed ?? (await newDirectory())
  installed = undefined
  const directory = join(parent, 'gapura')
  await copyCheckout(directory)
  await moveModules(join(parent, 'kept'), directory)
  const ports = await freePorts()
  const data = join(parent, 'postgres')
  const postgres = await startPostgres(data, ports.get('5432') as number)
  const bins = [dirname(hostNode(20)), postgres.binaries, hostPath()]
  const env: Record<string, string> = {
    ...baseEnv(parent, ports),
    // Pages start dozens of commands, each of which would compile the same modules again.
    NODE_COMPILE_CACHE: join(directory, 'node_modules/.cache/compile'),
    PATH: bins.join(delimiter),
    PGDATA: data,
  }
  await install(directory, withRealHome(env))
  return {
    directory,
    ports,
    env,
    async remove() {
      await postgres.stop()
      await moveModules(directory, join(parent, 'kept'))
      for (const name of (await readdir(parent)).filter(name => name !== 'kept'))
        await rm(join(parent, name), { recursive: true, force: true })
      await mkdir(join(parent, 'home'))
      installed = parent
    },
  }
}

/** Moves the installed packages of each workspace from one checkout to another. */
async function moveModules(from: string, to: string): Promise<void> {
  const packages = (await readdir(join(root, 'packages'))).map(name => join('packages', name))
  for (const workspace of ['.', 'faults', ...packages]) {
    const path = join(workspace, 'node_modules')
    if (!existsSync(join(from, path))) continue
    await mkdir(dirname(join(to, path)), { recursive: true })
    await rename(join(from, path), join(to, path))
  }
}

/**
 * Creates a directory that every user can read. The embedded PostgreSQL does not run as root, and would otherwise use
 * another directory.
 */
async function newDirectory(prefix = 'gapura-page-'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), prefix))
  await chmod(directory, 0o755)
  await mkdir(join(directory, 'home'))
  return directory
}

/** Copies the checkout without the files that Git ignores, so that no page depends on an earlier build. */
async function copyCheckout(to: string): Promise<void> {
  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n').filter(Boolean)
  const names = new Set(['.git', ...ignored.map(line => line.replace(/\/$/, ''))])
  const endings = ignored.filter(line => line.startsWith('*')).map(line => line.slice(1))
  const isKept = (path: string) =>
    !names.has(basename(path)) && !endings.some(ending => path.endsWith(ending))
  await cp(root, to, { recursive: true, filter: isKept })
}

/** Adds the real home directory, so that the packages of earlier installations are linked and not downloaded again. */
const withRealHome = (env: Record<string, string>): Record<string, string> => ({
  ...env,
  ...(process.env.HOME && { HOME: process.env.HOME }),
})

/**
 * Returns the path of a Node binary with this major version, which is installed from the registry. Tests put its
 * directory first in PATH.
 */
export const hostNode = (version: number): string =>
  join(root, `compatibility/node_modules/node-${version}-${process.platform}-${process.arch}/bin/node`)

function install(directory: string, env: Record<string, string>): Promise<void> {
  const installer = spawn(process.execPath, ['scripts/with-deps.mjs', 'true'], {
    cwd: directory,
    env,
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    installer.on('error', reject)
    installer.on('exit', code => (code === 0 ? resolve() : reject(new Error('no packages, no page'))))
  })
}

function baseEnv(home: string, ports: Map<string, number>): Record<string, string> {
  // The settings of the package registry and of proxies are kept, because they depend on the machine.
  const network = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cafile|strict_ssl|proxy|https_proxy)|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|NPM_CONFIG_REGISTRY)$/i.test(
      name,
    ),
  )
  return {
    ...(Object.fromEntries(network) as Record<string, string>),
    HOME: join(home, 'home'),
    LANG: 'C.UTF-8',
    // The update notifier is off, because npm would print notices about its new versions.
    npm_config_update_notifier: 'false',
    PORT: String(ports.get('8080')),
  }
}

/**
 * Returns the PATH of the machine: without the directories that npm and our scripts put in front, and with those of
 * system commands. Operators have the latter in their PATH, but not every test run does.
 */
const hostPath = (): string =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .filter(directory => !directory.includes('node_modules'))
    .join(delimiter)

/**
 * Returns free ports for those that a page may use: the service, its sandbox on the next port, further processes, a
 * merchant's servers, and PostgreSQL.
 */
async function freePorts(): Promise<Map<string, number>> {
  const base = await freePortRange(21)
  const named = (first: number, count: number, offset: number) =>
    Array.from({ length: count }, (_, index) => [String(first + index), base + offset + index] as const)
  return new Map([...named(8080, 10, 0), ...named(3000, 10, 10), ...named(5432, 1, 20)])
}
