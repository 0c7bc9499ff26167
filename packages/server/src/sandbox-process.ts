// The provider sandbox beside the embedded default: a process of its own, that ends with this one however
// it ends (its channel to us breaks).

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type SandboxProcess = { url: string; exited: Promise<string>; stop(): Promise<void> }

/** Throws with what the sandbox said, in one line. */
export async function startSandboxProcess(options: {
  host: string
  port: number
  dataDir: string
}): Promise<SandboxProcess> {
  const child = fork(fileURLToPath(import.meta.resolve('@gapura/sandbox/main')), {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C in a terminal is for the service, which still needs its provider then.
    detached: true,
    env: {
      ...process.env,
      SANDBOX_HOST: options.host,
      SANDBOX_PORT: String(options.port),
      SANDBOX_DATA: join(options.dataDir, 'sandbox.db'),
    },
  })
  let said = ''
  child.stderr?.on('data', chunk => {
    said = (said + chunk).slice(-2000)
  })
  const exited = once(child, 'exit').then(
    () => said.trim().split('\n').at(-1) || 'the provider sandbox ended',
  )
  const started = once(child, 'message') as Promise<[{ url: string }]>
  const first = await Promise.race([started, exited])
  if (typeof first === 'string') throw new Error(first)
  return { url: first[0].url, exited, stop: () => end(child, exited) }
}

async function end(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await exited
  }
}
