// The process that all test files in a run share. It loads the provider sandbox and creates the demo data only
// once, because either step takes longer than most test files.
//
// - POST /demo creates the template of the demo data on the first call, and returns its secrets.
// - POST /sandboxes starts a sandbox for one test file, and responds with its URL.
// - DELETE /sandboxes?url= stops that sandbox.

import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { DatabaseUrls } from './database-url.ts'
import type { DemoTemplate } from './demo-template.ts'

type Sandbox = { url: string; close(): Promise<void> }
type SandboxPackage = { startSandbox(settings: object): Promise<Sandbox> }
/** If `isOfDemo` is true, the sandbox starts with the demo data's merchants. */
export type SandboxOptions = { isOfDemo?: boolean; pendingNotifications?: boolean }

const directory = await mkdtemp(join(tmpdir(), 'gapura-sandboxes-'))
const demoFile = join(directory, 'demo.db')
let demo: Promise<DemoTemplate> | undefined
const sandboxes = new Map<string, () => Promise<void>>()
let started = 0

const server = createServer(async (request, response) => {
  try {
    response.end(await answer(request))
  } catch (error) {
    response.writeHead(500).end((error as Error).stack)
  }
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
)
process.once('SIGTERM', end)
// The IPC channel to the test run also closes if the run is killed. Because this process then exits, it never
// outlives the run.
process.once('disconnect', end)

async function answer(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://host')
  if (request.method === 'DELETE') return stop(searchParams.get('url') ?? '')
  const body = await json(request)
  if (pathname === '/sandboxes') return start(body as SandboxOptions)
  demo ??= makeDemo(body as DatabaseUrls)
  return JSON.stringify(await demo)
}

async function start({ isOfDemo, ...settings }: SandboxOptions): Promise<string> {
  if (!isOfDemo) return keep(await startSandbox(settings))
  const dataFile = join(directory, `${++started}.db`)
  await copyFile(demoFile, dataFile)
  return keep(await startSandbox({ ...settings, dataFile }), dataFile)
}

function keep({ url, close }: Sandbox, dataFile?: string): string {
  sandboxes.set(url, async () => {
    await close()
    if (dataFile) await rm(dataFile)
  })
  return url
}

async function stop(url: string): Promise<string> {
  await sandboxes.get(url)?.()
  sandboxes.delete(url)
  return url
}

async function makeDemo(urls: DatabaseUrls): Promise<DemoTemplate> {
  const { makeDemoTemplate } = await import('./demo-template.ts')
  const sandbox = await startSandbox({ dataFile: demoFile })
  try {
    return await makeDemoTemplate(urls, sandbox.url)
  } finally {
    await sandbox.close()
  }
}

/**
 * Imports the sandbox only when it is needed, because many runs do not need it. The package name is resolved at run
 * time, so that the server compiles without this package.
 */
async function startSandbox(settings: object): Promise<Sandbox> {
  const { startSandbox } = (await import(import.meta.resolve('@gapura/sandbox'))) as SandboxPackage
  return startSandbox({ ...settings, port: 0 })
}

async function end(): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  process.exit()
}
