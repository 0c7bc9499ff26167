// Runs the README's code against a fake service. A block that starts with an import is a separate program. Any other
// block continues the previous block. In the code, the fake service's address replaces the service's address, and a
// free port replaces the receiver's port.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { webhooks } from '../src/index.ts'
import { type Answer, aPayment, failure, ok, service } from './service.ts'

const folder = new URL('../test-output/readme/', import.meta.url)
const secret = `whsec_${randomBytes(32).toString('base64')}`
const paid = { ...aPayment, status: 'paid', amount_paid: 10_000_000, paid_at: '2026-11-20T03:14:05.678Z' }

type Program = { source: string; prints: string[] }

async function programsOf(readme: string): Promise<Program[]> {
  const programs: Program[] = []
  for (const [, source = ''] of readme.matchAll(/^```ts\n(.*?)^```$/gms)) {
    const last = programs.at(-1)
    if (source.startsWith('import ')) programs.push({ source, prints: [] })
    else if (last) last.source += source
    else expect.unreachable('the first block imports nothing')
  }
  for (const program of programs)
    program.prints = [...program.source.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line)
  return programs
}

const answers: Record<string, unknown> = {
  'GET /v1/payments': { items: [paid], next_cursor: null },
  [`GET /v1/payments/${aPayment.id}`]: paid,
  'GET /v1/account/balance': { mode: 'test', currency: 'IDR', balance: 0 },
  'POST /v1/auth/login': { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 },
  'GET /v1/account': { id: 'tenant' },
  'POST /v1/tenants/tenant/api-keys': { key: 'gp_test_new' },
}

const answer: Answer = (response, asked) => {
  const name = `${asked.method} ${asked.path.replace(/\?.*/, '')}`
  if (name === 'POST /v1/payments/create' && JSON.parse(asked.body).amount > 0)
    return ok(aPayment)(response, asked)
  if (name === 'POST /v1/payments/create')
    return failure(400, 'BAD_REQUEST', 'bad request: amount: must be greater than zero')(response, asked)
  const data = answers[name]
  if (data === undefined) return failure(404, 'NOT_FOUND', `not found: ${name}`)(response, asked)
  ok(data)(response, asked)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/**
 * Repeats the request until it gets a response. The receiver in the README does not signal when it is ready, so
 * the first requests may fail.
 */
async function answered(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url, init)
    } catch {
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

function start(file: string, env: NodeJS.ProcessEnv): { child: ChildProcess; ended: Promise<string> } {
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill()
  })
  let printed = ''
  child.stdout.on('data', piece => {
    printed += piece
  })
  child.stderr.on('data', piece => {
    printed += piece
  })
  const ended = new Promise<string>((resolve, reject) => {
    child.on('close', code =>
      code === 0 ? resolve(printed) : reject(new Error(`${file} ended: ${printed}`)),
    )
  })
  return { child, ended }
}

test("the README's code compiles, runs and prints what the README says", async () => {
  const { baseUrl } = await service(answer)
  const port = await freePort()
  const receiver = `http://127.0.0.1:${port}/`
  const env = {
    ...process.env,
    GAPURA_API_KEY: 'gp_test_key',
    GAPURA_EMAIL: 'budi@example.com',
    GAPURA_PASSWORD: 'correct horse',
    GAPURA_WEBHOOK_SECRET: secret,
    GAPURA_MODE: 'test',
  }
  await mkdir(folder, { recursive: true })
  const programs = await programsOf(await readFile(new URL('../README.md', import.meta.url), 'utf8'))
  const files = programs.map((_, index) => `program-${index + 1}.ts`)
  for (const [index, { source }] of programs.entries()) {
    const placed = source
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('listen(3000)', `listen(${port})`)
    await writeFile(new URL(files[index] as string, folder), placed)
  }
  await compile(files)

  const listening = programs.findIndex(({ source }) => source.includes('.listen('))
  const run = (index: number) => start(fileURLToPath(new URL(files[index] as string, folder)), env)
  const { child, ended } = run(listening)
  const forged = await answered(receiver, { method: 'POST', body: '{}' })
  expect(forged.status).toBe(400)
  const event = JSON.stringify({
    id: '01990000-0000-7000-8000-000000000002',
    type: 'payment.paid',
    created_at: '2026-11-20T03:14:05.678Z',
    mode: 'test',
    previous_status: 'pending',
    data: paid,
  })
  const headers = await webhooks.sign(event, secret)
  expect((await fetch(receiver, { method: 'POST', headers, body: event })).status).toBe(200)

  for (const [index, { prints }] of programs.entries()) {
    if (index === listening) continue
    const printed = await run(index).ended
    for (const line of prints) expect(printed).toContain(line)
    if (programs[index]?.source.includes('import { sign }')) expect(printed).toBe('200\n')
  }
  const killed = ended.catch(error => error.message)
  child.kill()
  expect(await killed).toContain('GP261120-7Q4M2ZK8XW ship')
})

async function compile(files: string[]): Promise<void> {
  const tsconfig = {
    extends: '../../tsconfig.json',
    compilerOptions: { rootDir: '../..', composite: false, emitDeclarationOnly: false, noEmit: true },
    include: [],
    files,
  }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(tsconfig))
  const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
  const outcome = await promisify(execFile)(tsc, ['-p', fileURLToPath(folder)]).catch(error => error)
  expect(outcome.stdout).toBe('')
}
