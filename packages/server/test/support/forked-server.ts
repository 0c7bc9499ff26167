// Starts a program in a separate process that serves the whole test run.

import { fork } from 'node:child_process'
import { once } from 'node:events'

export type ForkedServer = { url: string; stop: () => Promise<void> }

/**
 * Starts a program in a child process. The first message from the program must contain its URL. If the program
 * does not start, the error contains `name`.
 */
export async function startForked(program: string, name: string): Promise<ForkedServer> {
  const child = fork(program, { execArgv: [] })
  const exited = once(child, 'exit')
  const gone = exited.then(() => {
    throw new Error(`${name} did not start`)
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), gone])) as [{ url: string }]
  gone.catch(() => {})
  return {
    url,
    async stop() {
      child.kill()
      await exited
    },
  }
}
