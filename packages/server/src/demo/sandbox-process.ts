// Runs the provider sandbox of the embedded setup as a child process. When this process ends for any reason, the
// IPC channel between the processes closes, and the child process exits.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ListenError } from '../startup/listen-error.ts'

export type SandboxProcess = { url: string; exited: Promise<Error>; stop(): Promise<void> }

/** The sandbox's exit code if its port is in use. */
const PORT_IN_USE = 98

/** Starts the sandbox. If it fails, throws an error with the sandbox's error output in one line. */
export async function startSandboxProcess(options: {
  host: string
  port: number
  dataDir: string
}): Promise<SandboxProcess> {
  const child = fork(fileURLToPath(import.meta.resolve('@gapura/sandbox/main')), {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // The sandbox runs in a separate process group. Ctrl-C in a terminal therefore reaches only the service, which
    // still needs the sandbox while it shuts down.
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
  const exited = once(child, 'exit').then(([code]) =>
    code === PORT_IN_USE
      ? new ListenError(
          `${options.host}:${options.port} is already in use; stop the process that uses it, or set PORT or GAPURA_SANDBOX_PORT (default: PORT + 1)`,
        )
      : new Error(said.trim().split('\n').at(-1) || 'the provider sandbox ended'),
  )
  const started = once(child, 'message') as Promise<[{ url: string }]>
  const first = await Promise.race([started, exited])
  if (first instanceof Error) throw first
  return { url: first[0].url, exited, stop: () => end(child, exited) }
}

async function end(child: ChildProcess, exited: Promise<Error>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await exited
  }
}
