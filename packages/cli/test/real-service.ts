// Starts the whole service with its provider sandbox as an operator does.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../server/src/main.ts')

type Login = { tenant_id: string; email: string; password: string }
type Merchant = Login & { live_key: string; test_key: string; webhook_secret: string }
export type Demo = {
  base_url: string
  owner: Login
  partner: Login
  client: Merchant
  client2: Merchant
  sandbox_url: string
}

export async function startService(): Promise<{ demo: Demo; dataDir: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-cli-service-'))
  const port = await freePortPair()
  const env = { ...process.env, GAPURA_DATA_DIR: dataDir, PORT: String(port), GAPURA_LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const exited = once(child, 'exit')
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${output}`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      response => response.ok,
      () => false,
    )
    if (ready) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return {
    demo: JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo,
    dataDir,
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns two adjacent free ports, because the sandbox listens on the port above the service's port. */
async function freePortPair(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
