// Functions for a service that a user's command started in a separate process group (`detached`): one waits
// until the service is ready, and one ends the service.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the service is ready. Throws an error with the service's output if the service exits before that. */
export async function untilReady(service: ChildProcess, baseUrl: string): Promise<void> {
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', chunk => (output += chunk))
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      response => response.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}:\n${output}`)
    await sleep(100)
  }
}

/**
 * Ends the service and waits until its output closes. Each of its processes keeps the output open, so the output closes
 * when the last process has exited.
 */
export async function end(service: ChildProcess): Promise<void> {
  const closed = once(service, 'close')
  process.kill(-(service.pid as number), 'SIGTERM')
  await closed
}
