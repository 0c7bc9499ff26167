// Starts the provider sandbox in a process of its own.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd } from './at-end.ts'

/** Starts the sandbox and returns its address. The sandbox stops at the end of the test file. */
export async function startSandbox(env: Record<string, string> = {}): Promise<string> {
  const child = fork(fileURLToPath(import.meta.resolve('@gapura/sandbox/main')), {
    stdio: 'ignore',
    execArgv: [],
    env: { ...process.env, SANDBOX_PORT: '0', ...env },
  })
  const gone = once(child, 'exit').then(() => {
    throw new Error('the sandbox did not start')
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), gone])) as [{ url: string }]
  gone.catch(() => {})
  atEnd(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  return url
}
