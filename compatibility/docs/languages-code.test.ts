// Runs the code of the language guides in cases that the guides do not show: a broken connection, a proxy's error page,
// and a webhook for another payment method. Small stubs replace the generated API clients.

import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sign } from '../../packages/sdk/src/webhooks.ts'
import { goMain, goStubs, javaMain, javaStubs, phpMain, phpStubs, pythonStubs } from './client-stubs.ts'
import { root } from './pages.ts'

const run = promisify(execFile)

/** Returns the code block that has the given title on the documentation page. */
async function blockOf(page: string, title: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8')
  const [, code] = new RegExp(`^\`\`\`\\w+ title="${title}"\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`${page} has no code block with the title ${title}`)
  return code
}

const javaFolder = 'shop-java/src/main/java/'

/** Returns the code blocks with the given titles. A title is the folder followed by the file's name. */
async function blocksOf(page: string, names: string[], folder = ''): Promise<Record<string, string>> {
  const blocks = names.map(async name => [name, await blockOf(page, folder + name)] as const)
  return Object.fromEntries(await Promise.all(blocks))
}

const places: string[] = []
afterAll(() => Promise.all(places.map(place => rm(place, { recursive: true }))))

async function placeWith(files: Record<string, string>): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'gapura-retries-'))
  places.push(place)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(place, name)), { recursive: true })
    await writeFile(join(place, name), content)
  }
  return place
}

const paid = { id: '1', method_type: 'qris' }
const answers: Record<string, RequestListener> = {
  reset: request => request.socket.resetAndDestroy(),
  half: (request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"success"')
    setTimeout(() => request.socket.destroy(), 50)
  },
  page502: (_, response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'),
  json502: (_, response) =>
    void response.writeHead(502).end('{"error":{"code":502,"message":"Bad Gateway"}}'),
  page504: (_, response) => void response.writeHead(504).end('<h1>Gateway Timeout</h1>'),
  page403: (_, response) => void response.writeHead(403).end('<h1>Forbidden</h1>'),
  declined: (_, response) =>
    void response
      .writeHead(502)
      .end(JSON.stringify({ success: false, error: { code: 'PROVIDER_ERROR', message: 'declined' } })),
  ok: (_, response) => void response.end(JSON.stringify({ success: true, data: paid })),
}

/**
 * Starts a service that gives the responses with the given names, one after another, and records the idempotency
 * keys that it receives.
 */
async function serviceWith(names: string[]): Promise<{ url: string; keys: unknown[] }> {
  const keys: unknown[] = []
  const left = [...names]
  const server = createServer((request, response) => {
    keys.push(request.headers['x-idempotency-key'])
    request.resume().on('end', () => answers[left.shift() ?? 'ok']?.(request, response))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

const compilers = {
  Go: async () => {
    const cwd = await placeWith({
      ...goStubs,
      'main.go': goMain,
      'payments.go': await blockOf('docs/guides/go.md', 'payments.go'),
    })
    await run('go', ['build', '-o', 'shop', '.'], { cwd })
    return cwd
  },
  Java: async () => {
    const cwd = await placeWith({
      ...javaStubs,
      'Main.java': javaMain,
      ...(await blocksOf('docs/guides/java.md', ['Payments.java'], javaFolder)),
    })
    await run('javac', ['Main.java'], { cwd })
    return cwd
  },
}

const compiling: Partial<Record<keyof typeof compilers, Promise<string>>> = {}

/** Returns the directory of the compiled program. All tests use the same program. */
const compiled = (language: keyof typeof compilers): Promise<string> =>
  (compiling[language] ??= compilers[language]())

const languages = {
  PHP: async (url: string) => {
    const payments = await blockOf('docs/guides/php.md', 'GapuraPayments.php')
    const files = { 'stubs.php': phpStubs, 'main.php': phpMain, 'GapuraPayments.php': payments }
    return (await run('php', ['main.php', url], { cwd: await placeWith(files) })).stdout
  },
  Python: async (url: string) => {
    const payments = await blockOf('docs/guides/python.md', 'payments.py')
    const place = await placeWith({ ...pythonStubs, 'payments.py': payments })
    return (await run('python3', ['-B', 'main.py', url], { cwd: place })).stdout
  },
  Go: async (url: string) => {
    const env = { ...process.env, GAPURA_URL: url }
    return (await run('./shop', { cwd: await compiled('Go'), env })).stdout
  },
  Java: async (url: string) => (await run('java', ['Main', url], { cwd: await compiled('Java') })).stdout,
}

const foreign = (status: number) => `${status} HTTP ${status}, but the response is not from Gapura`
const outcomes = [
  [['reset', 'half', 'ok'], '1'],
  [['page502', 'page504', 'ok'], '1'],
  [['page502', 'page502', 'page502'], foreign(502)],
  [['page504', 'page504', 'page504'], foreign(504)],
  [['json502', 'json502', 'ok'], '1'],
  [['declined'], '502 declined'],
  [['page403'], foreign(403)],
] as const
const cases = (['PHP', 'Python', 'Go', 'Java'] as const).flatMap(language =>
  outcomes.map(([names, printed]) => [language, names, printed] as const),
)

test.each(cases)(
  'the client in the %s guide gets the responses %j and retries with the same idempotency key, unless a provider or firewall rejected the request',
  async (language, names, printed) => {
    const { url, keys } = await serviceWith([...names])
    expect(await languages[language](url)).toBe(printed)
    expect(keys).toEqual(names.map(() => 'order-1'))
  },
)

type Command = { cwd: string; command: [program: string, ...args: string[]] }

/** Compile each guide's receiver, and return the command that starts it on the given port. */
const receivers = {
  PHP: async (port: number): Promise<Command> => {
    const names = ['GapuraPayments.php', 'GapuraWebhooks.php', 'receiver.php']
    const cwd = await placeWith({
      'autoload.php': phpStubs,
      ...(await blocksOf('docs/guides/php.md', names)),
    })
    return { cwd, command: ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'] }
  },
  Python: async (port: number): Promise<Command> => {
    const blocks = await blocksOf('docs/guides/python.md', ['gapura_webhooks.py', 'receiver.py'])
    const cwd = await placeWith(onPort(port, { ...pythonStubs, ...blocks }))
    return { cwd, command: ['python3', '-B', 'receiver.py'] }
  },
  Go: async (port: number): Promise<Command> => {
    const blocks = await blocksOf('docs/guides/go.md', ['webhooks.go', 'receiver.go'])
    const main = 'package main\n\nfunc main() { panic(receive()) }\n'
    const cwd = await placeWith(onPort(port, { ...goStubs, ...blocks, 'main.go': main }))
    await run('go', ['build', '-o', 'shop', '.'], { cwd })
    return { cwd, command: ['./shop'] }
  },
  Java: async (port: number): Promise<Command> => {
    const blocks = await blocksOf('docs/guides/java.md', ['Webhooks.java', 'Receiver.java'], javaFolder)
    const cwd = await placeWith(onPort(port, { ...javaStubs, ...blocks }))
    await run('javac', ['Receiver.java'], { cwd })
    return { cwd, command: ['java', 'Receiver'] }
  },
}

test.each(Object.keys(receivers) as (keyof typeof receivers)[])(
  'the receiver in the %s guide accepts a webhook for a QRIS payment, and ships only if the whole amount was paid',
  async language => {
    const secret = `whsec_${btoa('a secret of more than 24 bytes')}`
    const { url, printed } = await startReceiver(language, {
      ...process.env,
      GAPURA_WEBHOOK_SECRET: secret,
      GAPURA_MODE: 'test',
    })
    const send = async (id: string, type: string, data: object) => {
      const body = JSON.stringify({ id, type, mode: 'test', data })
      const response = await fetch(url, { method: 'POST', headers: await sign(body, secret), body })
      expect([200, 204], printed()).toContain(response.status)
    }
    const qris = { method_type: 'qris', method_data: { qr_string: '' }, amount: 500 }
    await send('event-1', 'webhook.test', { message: 'hello' })
    await send('event-2', 'payment.paid', { ...qris, payment_code: 'GP1', amount_paid: 499 })
    await send('event-3', 'payment.paid', { ...qris, payment_code: 'GP2', amount_paid: 500 })
    await expect.poll(printed).toContain('GP2 paid 500')
    expect(printed()).toContain('needs review: paid 499 of 500')
    expect(printed()).not.toContain('GP1')
  },
)

/**
 * Starts the receiver in a guide. A receiver cannot choose a free port itself, so another process may have taken the
 * port by the time the receiver listens on it. The receiver then exits, and this function tries another port.
 */
async function startReceiver(
  language: keyof typeof receivers,
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; printed: () => string }> {
  let printed = ''
  for (let attempt = 1; attempt <= 5; attempt++) {
    printed = ''
    const { port } = await freeAddress()
    const { cwd, command } = await receivers[language](port)
    const [program, ...args] = command
    const child = spawn(program, args, { cwd, env })
    onTestFinished(() => void child.kill())
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (printed += data))
    const url = `http://127.0.0.1:${port}/`
    // The Go receiver prints `listening` before it listens.
    const responds = () => /listening|started/.test(printed) && fetch(url).then(Boolean, () => false)
    await expect.poll(async () => child.exitCode !== null || (await responds())).toBe(true)
    if (child.exitCode === null) return { url, printed: () => printed }
  }
  throw new Error(`the receiver could not listen on a port: ${printed}`)
}

/** Replaces the port of each guide's receiver. */
const onPort = (port: number, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, code]) => [name, code.replace(/(127\.0\.0\.1\D+)300\d/, `$1${port}`)]),
  )

/** Returns a free port of this computer. */
async function freeAddress(): Promise<AddressInfo> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return address
}
