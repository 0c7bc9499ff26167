// The provider sandbox as a process of its own, and what a merchant's people do on each provider's dashboard.

import { fork } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** Ends with the test file. Returns its address. */
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
  afterAll(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  return url
}

/** Credentials whole, with what the provider issues; of a key pair the sandbox gets the public half. */
export async function registerMerchant(
  sandboxUrl: string,
  provider: string,
  ours: Record<string, string>,
  notificationUrl: string,
): Promise<Record<string, string>> {
  const { private_key: key, ...rest } = ours
  const isPem = key?.includes('PRIVATE KEY') ?? false
  const uploaded = isPem
    ? { public_key: createPublicKey(key as string).export({ type: 'spki', format: 'pem' }) }
    : { ...(key !== undefined && { private_key: key }) }
  const response = await fetch(`${sandboxUrl}/merchants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider,
      credentials: { ...rest, ...uploaded },
      notification_url: notificationUrl,
    }),
  })
  if (!response.ok) throw new Error(await response.text())
  const { credentials } = (await response.json()) as { credentials: Record<string, string> }
  return { ...ours, ...credentials }
}
