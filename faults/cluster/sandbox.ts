// Runs the provider sandbox in its own process, which no injected fault affects. The checker can therefore rely on the
// sandbox's payment records. The sandbox's clock moves with the service's clock.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Sandbox = { url: string; moveClock(aheadMs: number): void; stop(): Promise<void> }

/**
 * The factor by which the sandbox shortens the providers' retry delays. Without it, the sandbox would resend an
 * unacknowledged callback only after minutes or hours, as the providers do.
 */
const RETRY_SCALE = '0.01'

export async function startSandbox(directory: string): Promise<Sandbox> {
  const child = fork(fileURLToPath(import.meta.resolve('@gapura/sandbox/main')), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--import', join(import.meta.dirname, 'clock.ts')],
    env: {
      PATH: process.env.PATH ?? '',
      SANDBOX_PORT: '0',
      SANDBOX_DATA: join(directory, 'sandbox.db'),
      SANDBOX_RETRY_SCALE: RETRY_SCALE,
    },
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the sandbox did not start')
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }]
  const exited = ended.catch(() => {})
  return {
    url,
    moveClock: aheadMs => void child.send({ aheadMs }),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
