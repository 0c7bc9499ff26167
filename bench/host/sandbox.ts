// Starts the provider sandbox in its own process. The sandbox keeps its data in memory only.

import { join } from 'node:path'
import { startChild } from './child.ts'

const main = join(import.meta.dirname, '../../packages/sandbox/src/main.ts')

export type Sandbox = { url: string; pid: number; stop(): Promise<void> }

export async function startSandbox(): Promise<Sandbox> {
  // The benchmarks compare the service with reference programs, which do not expect notifications about pending orders.
  // The sandbox therefore sends none.
  const child = startChild<{ url: string }>(main, {
    env: { SANDBOX_PORT: '0', SANDBOX_PENDING_NOTIFICATIONS: 'false' },
  })
  const { url } = await child.next()
  return { url, pid: child.pid, stop: child.stop }
}

/** Registers a Midtrans server key with the sandbox, as a merchant does on the provider's dashboard. */
export async function registerMidtrans({ url }: Sandbox, serverKey: string): Promise<void> {
  const answer = await fetch(`${url}/merchants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider: 'midtrans',
      credentials: { server_key: serverKey },
      notification_url: null,
    }),
  })
  if (!answer.ok)
    throw new Error(
      `the sandbox rejected the registration of the Midtrans server key: ${await answer.text()}`,
    )
}
