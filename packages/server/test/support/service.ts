// Starts the whole service as an operator would, with its own process, embedded PostgreSQL, provider sandbox,
// ports, and data directory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Demo } from '../../src/demo/demo.ts'
import { freePortRange } from './free-port.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

export type Service = {
  demo: Demo
  /** Returns everything that the service has written to standard output and standard error so far. */
  output(): string
  /** Stops the service with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL only to the service's process, as in a crash. */
  kill(): Promise<void>
}

export type Place = { dataDir: string; port: number }

/**
 * Returns a directory and two free ports for a service. The service keeps the directory and the ports when it restarts.
 * The first port is for the service, and the second is for the service's sandbox.
 */
export async function newPlace(): Promise<Place> {
  return { dataDir: await mkdtemp(join(tmpdir(), 'gapura-journey-')), port: await freePortRange(2) }
}

export const removePlace = (place: Place): Promise<void> =>
  rm(place.dataDir, { recursive: true, force: true })

export async function startService(place: Place, env: Record<string, string> = {}): Promise<Service> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      GAPURA_DATA_DIR: place.dataDir,
      PORT: String(place.port),
      GAPURA_LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const exited = once(child, 'exit') as Promise<[number | null]>
  await untilReady(`http://127.0.0.1:${place.port}/readyz`, child, () => output)
  return {
    demo: JSON.parse(await readFile(join(place.dataDir, 'demo.json'), 'utf8')) as Demo,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the service did not start:\n${output()}`)
    const ready = await fetch(url).then(
      response => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
