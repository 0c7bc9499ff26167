#!/usr/bin/env node
// Runs a command after installing everything it needs: node scripts/with-deps.mjs [--in <directory>] <command>
// [argument…]
//
// A fresh clone needs only Node 18 or later with npm, because this script has no dependencies. The script installs the
// packages with the pnpm version below, unless nothing has changed since the last install. Then the script runs the
// command with the installed Node and tools first in PATH.
//
// The option --in names a directory with a separate workspace. The packages of this workspace are also installed, and
// the command runs in this directory.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

// The pnpm version is fixed, because later versions need a newer Node than this script supports.
const pnpm = 'pnpm@12.21.0'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const turn = join(modules, '.installing')

const argv = process.argv.slice(2)
const inside = argv[0] === '--in' ? join(root, argv.splice(0, 2)[1] ?? '') : root
const workspaces = [...new Set([root, inside])]
const [command, ...args] = argv
if (!command) fail('usage: node scripts/with-deps.mjs [--in <directory>] <command> [argument…]')

let interrupt = _signal => {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupt(signal))

if (!workspaces.every(isInstalled)) await install()
await run(command, args)

function stampOf(workspace) {
  return join(workspace, 'node_modules', '.installed')
}

function isInstalled(workspace) {
  const stamp = stampOf(workspace)
  return (
    existsSync(join(modules, '.bin', 'node')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === fingerprint(workspace)
  )
}

/**
 * Returns a hash of everything that the installation depends on, such as the platform, the pnpm version, the
 * lockfile, and the package.json files.
 */
function fingerprint(workspace) {
  const packages =
    workspace === root
      ? ['faults', ...readdirSync(join(root, 'packages')).map(name => join('packages', name))]
      : []
  const manifests = ['.', ...packages].map(directory => join(directory, 'package.json'))
  const hash = createHash('sha256').update(
    `${process.platform} ${process.arch} ${pnpm} ${relative(root, workspace)}\n`,
  )
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', ...manifests]) {
    const file = join(workspace, name)
    if (existsSync(file)) hash.update(`${name}\n`).update(readFileSync(file))
  }
  for (const name of packages) hash.update(`${existsSync(join(root, name, 'node_modules'))}\n`)
  return `${hash.digest('hex')}\n`
}

async function install() {
  await takeTurn()
  try {
    const missing = workspaces.filter(workspace => !isInstalled(workspace))
    if (missing.length === 0) return
    process.stderr.write('Installing packages …\n')
    const startedMs = Date.now()
    for (const workspace of missing) {
      const stamp = stampOf(workspace)
      rmSync(stamp, { force: true })
      const { code, signal, output } = await runInstall(workspace)
      if (signal) endBy(signal)
      if (code !== 0) {
        process.stderr.write(output)
        fail(`The packages could not be installed: ${pnpm} exited with ${code}; see its output above.`)
      }
      writeFileSync(stamp, fingerprint(workspace))
    }
    process.stderr.write(`Installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s.\n`)
  } finally {
    endTurn()
  }
}

/**
 * Takes a lock before installing the packages. If a second command starts in a fresh clone, it waits until
 * the first command has installed them.
 */
async function takeTurn() {
  process.on('exit', endTurn)
  for (let told = false; ; ) {
    try {
      mkdirSync(modules, { recursive: true })
      // The lock is a symlink whose target is the owner's process ID. A symlink is created together with its target,
      // but a new file would be empty at first and would not yet contain the process ID.
      return symlinkSync(`${process.pid}`, turn)
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`The packages could not be installed: ${error.message}`)
    }
    const owner = ownerOfTurn()
    if (!isAlive(owner)) rmSync(turn, { force: true })
    else if (!told) process.stderr.write(`Waiting for process ${owner} to finish installing packages …\n`)
    told = true
    await sleep(100)
  }
}

function endTurn() {
  if (ownerOfTurn() === process.pid) rmSync(turn, { force: true })
}

function ownerOfTurn() {
  try {
    return Number(readlinkSync(turn))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Installs the packages in a separate process group, so that a signal stops the package manager and all its child
 * processes.
 */
function runInstall(workspace) {
  const installer = spawn('npx', ['--yes', pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Sets the CI variable, because pnpm then asks the user no questions.
    env: { ...process.env, CI: 'true', HOME: writableHome() },
  })
  interrupt = signal => process.kill(-installer.pid, signal)
  const output = []
  installer.stdout.on('data', chunk => output.push(chunk))
  installer.stderr.on('data', chunk => output.push(chunk))
  return new Promise(resolve => {
    installer.on('error', error => resolve({ code: error.code, output: `${error.message}\n` }))
    installer.on('close', (code, signal) => resolve({ code, signal, output: Buffer.concat(output) }))
  })
}

/**
 * Returns a home directory where package managers can write their caches. Without a home directory, they
 * would create a directory called ~ in the working directory.
 */
function writableHome() {
  const home = process.env.HOME
  try {
    if (home) accessSync(home, constants.W_OK)
    if (home) return home
  } catch {
    // Users without a writable home directory, such as `nobody`, use the directory `modules` instead.
  }
  return modules
}

function run(command, args) {
  const bins = workspaces.map(workspace => join(workspace, 'node_modules', '.bin'))
  const env = {
    // Sets the directory for Node's compile cache. Without it, each start would strip types from the same files and
    // compile them again.
    NODE_COMPILE_CACHE: join(modules, '.cache', 'compile'),
    ...process.env,
    PATH: [...bins, process.env.PATH].join(delimiter),
  }
  const child = spawn(command, args, { stdio: 'inherit', env, ...(inside !== root && { cwd: inside }) })
  // Does not forward signals from the terminal. The terminal also sends them directly to the command, so the command
  // would receive them twice.
  const fromTerminal = signal => process.stdin.isTTY && signal !== 'SIGTERM'
  interrupt = signal => fromTerminal(signal) || child.kill(signal)
  return new Promise(() => {
    child.on('error', error => fail(`${command} could not be started: ${error.message}`))
    child.on('close', (code, signal) => (signal ? endBy(signal) : process.exit(code)))
  })
}

/**
 * Ends this process with the signal that ended the child process, so that the parent process is notified of the
 * signal.
 */
function endBy(signal) {
  endTurn()
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
