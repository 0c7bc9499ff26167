// Creates the directories in which documentation code runs. A directory contains only what a reader has, such as a
// clone of the repository.

import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { goSettings, javaSettings } from '../clients/install.ts'
import { baseEnv, freePorts, hostPath, newDirectory } from './environment.ts'
import { giveBack, takeDirectory } from './installed-directories.ts'
import { startPostgres } from './postgres.ts'
import type { Place } from './run-page.ts'

const root = join(import.meta.dirname, '../..')

export type MadePlace = Place & { remove(): Promise<void> }

/**
 * Creates a fresh clone of the repository in the directory `gapura`. Node and npm are available, but no packages
 * are installed.
 */
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

/**
 * Creates the directories a reader has after the quick start: `shop` with its `.env`, and `gapura` with the CLI,
 * logged in to the service of `demo`.
 */
export async function merchantsPlace({ base_url, sandbox_url, client }: Demo): Promise<MadePlace> {
  const directory = await newDirectory()
  const ports = await freePorts()
  ports.set('8080', Number(new URL(base_url).port))
  ports.set('8081', Number(new URL(sandbox_url).port))
  const env = { ...baseEnv(directory, ports), ...(await languageEnv()), PATH: hostPath() }
  await mkdir(join(directory, 'shop'))
  const values = {
    GAPURA_URL: base_url,
    GAPURA_API_KEY: client.test_key,
    GAPURA_WEBHOOK_SECRET: client.webhook_secret,
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(directory, 'shop/.env'), lines.join(''))
  await mkdir(join(directory, 'gapura'))
  await symlink(join(root, 'gapura'), join(directory, 'gapura/gapura'))
  const login = ['login', '--email', client.email, '--base-url', base_url]
  const loggingIn = promisify(execFile)(join(root, 'gapura'), login, { env })
  loggingIn.child.stdin?.end(`${client.password}\n`)
  await loggingIn
  return {
    directory: join(directory, 'shop'),
    ports,
    env,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/**
 * Returns environment variables for other programming languages' tools, such as their cache paths. By default, pip
 * and Go use the home directory, which is empty here.
 */
async function languageEnv(): Promise<Record<string, string>> {
  const names = ['GOENV', 'GOPATH', 'GOCACHE', 'GOMODCACHE']
  const { stdout } = await promisify(execFile)('go', ['env', '-json', ...names])
  const pip = Object.entries(process.env).filter(([name]) => name.startsWith('PIP_'))
  return {
    ...(Object.fromEntries(pip) as Record<string, string>),
    ...goSettings,
    MAVEN_OPTS: javaSettings.join(' '),
    PIP_CACHE_DIR: join(homedir(), '.cache/pip'),
    ...(JSON.parse(stdout) as Record<string, string>),
  }
}

/**
 * Creates a clone of the repository with installed packages. Its path contains a space, so that missing quotes
 * around a path make a test fail.
 */
export async function installedPlace(): Promise<MadePlace> {
  const parent = await newDirectory('gapura page-')
  const directory = join(parent, 'gapura')
  await copyCheckout(directory)
  await copyDashboard(directory)
  const ports = await freePorts()
  const env = { ...baseEnv(parent, ports), PATH: hostPath() }
  await install(directory, withRealHome(env))
  return { directory, ports, env, remove: () => rm(parent, { recursive: true, force: true }) }
}

/**
 * Creates a clone of the repository with installed packages, and a separate PostgreSQL server for it. PATH starts with
 * the oldest supported version of Node. A clone that is no longer in use is reused (installed-directories.ts).
 */
export async function operatorsPlace(): Promise<MadePlace> {
  const parent = await takeDirectory()
  const directory = join(parent, 'gapura')
  await copyCheckout(directory)
  await copyDashboard(directory)
  await moveModules(join(parent, 'kept'), directory)
  const ports = await freePorts()
  const data = join(parent, 'postgres')
  const postgres = await startPostgres(data, ports.get('5432') as number)
  const bins = [dirname(hostNode(20)), postgres.binaries, hostPath()]
  const env: Record<string, string> = {
    ...baseEnv(parent, ports),
    // Pages start dozens of commands. Without a compile cache, each command would compile the same modules
    // again.
    NODE_COMPILE_CACHE: join(directory, 'node_modules/.cache/compile'),
    PATH: bins.join(delimiter),
    PGDATA: data,
  }
  await install(directory, withRealHome(env))
  await copyTypes(directory)
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
      await giveBack(parent)
    },
  }
}

/** Moves each workspace's installed packages from one clone of the repository to another. */
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
 * Copies the tested working tree without the files that Git ignores, so that no page depends on an earlier
 * build.
 */
async function copyCheckout(to: string): Promise<void> {
  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n').filter(Boolean)
  const names = new Set(['.git', ...ignored.map(line => line.replace(/\/$/, ''))])
  const endings = ignored.filter(line => line.startsWith('*')).map(line => line.slice(1))
  const isKept = (path: string) =>
    !names.has(basename(path)) && !endings.some(ending => path.endsWith(ending))
  await cp(root, to, { recursive: true, filter: isKept })
}

/**
 * Copies the built dashboard, so that the first start does not build it again. If the dashboard has not been built yet,
 * the first start builds it.
 */
async function copyDashboard(to: string): Promise<void> {
  const built = 'packages/dashboard/dist'
  if (existsSync(join(root, built))) await cp(join(root, built), join(to, built), { recursive: true })
}

/**
 * Copies the state of the last TypeScript check (scripts/check.sh). A type check on a page then covers only the files
 * that the page changes. Without this state, it covers all files.
 */
async function copyTypes(to: string): Promise<void> {
  for (const state of ['node_modules/.cache/types', 'packages/dashboard/tsconfig.tsbuildinfo'])
    if (existsSync(join(root, state))) await cp(join(root, state), join(to, state), { recursive: true })
}

/**
 * Adds the home directory of the user who runs the tests to the environment. pnpm then links packages from earlier
 * installations instead of downloading them again.
 */
const withRealHome = (env: Record<string, string>): Record<string, string> => ({
  ...env,
  ...(process.env.HOME && { HOME: process.env.HOME }),
})

/** Returns the path of the Node binary for this major version, which an npm package contains. */
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
    installer.on('exit', code =>
      code === 0 ? resolve() : reject(new Error('the packages could not be installed')),
    )
  })
}
