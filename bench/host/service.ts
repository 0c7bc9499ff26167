// Starts the service as an operator would, on an existing database. Its logs are written to a file.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/server/test/support/free-port.ts'
import type { Stage } from '../measure.ts'
import { startFlags } from './start-flags.ts'

/** What a process runs: a Node program with its arguments, and settings for Node. */
export type Program = { args: string[]; env?: Record<string, string> }

/** The source files, as `npm start` runs them. CPU profiles then name the source files. */
const source: Program = {
  args: [join(import.meta.dirname, '../../packages/server/src/main.ts')],
  // The same directory for Node's compile cache as with `npm start` (with-deps.mjs).
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile') },
}

export type Service = {
  url: string
  pid: number
  /** The time in milliseconds from process start until /readyz reported ready. */
  readyMs: number
  stop(): Promise<void>
}

type Options = {
  role: 'all' | 'api' | 'worker'
  /** The name of the service process. If a CPU profile is recorded, its file name contains this name. */
  name: string
  env?: Record<string, string>
  program?: Program
}

export async function startService(
  { database, profiles }: Pick<Stage, 'database' | 'profiles'>,
  { role, name, env, program = source }: Options,
): Promise<Service> {
  const profiled =
    profiles === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`]
  return spawnService(
    { ...program, args: [...profiled, ...program.args] },
    {
      DATABASE_URL: database.url,
      GAPURA_MASTER_KEY: database.masterKey.toString('base64'),
      GAPURA_ROLE: role,
      GAPURA_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    },
  )
}

/**
 * Starts a process of the service. `dataDir` is an existing data directory to keep. Without `dataDir`, the process
 * gets a temporary directory that is removed when the process stops.
 */
export async function spawnService(
  program: Program,
  env: Record<string, string>,
  dataDir?: string,
): Promise<Service> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'gapura-bench-service-')))
  const port = await freePort()
  const output = openSync(join(directory, 'output.log'), 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...startFlags, ...program.args], {
    stdio: ['ignore', output, output],
    env: {
      ...program.env,
      ...process.env,
      PORT: String(port),
      GAPURA_DATA_DIR: directory,
      ...env,
    },
  })
  closeSync(output)
  const exited = once(child, 'exit')
  const kill = () => child.kill()
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}`
  const said = () => readFile(join(directory, 'output.log'), 'utf8')
  // An API process is ready when `/readyz` responds. A worker has no HTTP server, so the function waits for
  // the line in its log.
  const isReady =
    env.GAPURA_ROLE === 'worker'
      ? async () => (await said()).includes('is ready')
      : () =>
          fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
  const clean = async () => {
    process.off('exit', kill)
    if (!dataDir) await rm(directory, { recursive: true, force: true })
  }
  while (!(await isReady())) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const output = await said()
      await clean()
      throw new Error(`the service did not start:\n${output}`)
    }
    await sleep(5)
  }
  return {
    url,
    pid: child.pid as number,
    readyMs: performance.now() - startedAt,
    async stop() {
      child.kill('SIGTERM')
      await exited
      tellErrors(await said())
      await clean()
    },
  }
}

/** Reports on stderr the errors that the service has logged, because errors make a run's figures unreliable. */
function tellErrors(output: string): void {
  const errors = output.split('\n').filter(line => line.startsWith('{"level":"error"'))
  if (errors.length > 0)
    process.stderr.write(`the service logged ${errors.length} errors; the first: ${errors[0]}\n`)
}
