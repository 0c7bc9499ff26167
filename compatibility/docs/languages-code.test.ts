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
import { goStubs, javaStubs, phpMain, phpStubs, pythonStubs } from './client-stubs.ts'
import { root } from './pages.ts'

const run = promisify(execFile)

/** Returns the code block that has the given title on the documentation page. */
async function blockOf(page: string, title: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8')
  const [, code] = new RegExp(`^\`\`\`\\w+ title="${title}"\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`${page} has no code block with the title ${title}`)
  return code
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
      'payments.go': await blockOf('docs/guides/go.md', 'payments.go'),
    })
    await run('go', ['build', '-o', 'shop', '.'], { cwd })
    return cwd
  },
  Java: async () => {
    const folder = 'shop-java/src/main/java'
    const cwd = await placeWith({
      ...javaStubs,
      'Payments.java': await blockOf('docs/guides/java.md', `${folder}/Payments.java`),
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

test('the receiver in the PHP guide accepts a webhook for a QRIS payment', { timeout: 60_000 }, async () => {
  const names = ['GapuraPayments.php', 'GapuraWebhooks.php', 'receiver.php']
  const blocks = await Promise.all(names.map(async name => [name, await blockOf('docs/guides/php.md', name)]))
  const cwd = await placeWith({ ...Object.fromEntries(blocks), 'autoload.php': phpStubs })
  const secret = `whsec_${btoa('a secret of more than 24 bytes')}`
  const env = { ...process.env, GAPURA_WEBHOOK_SECRET: secret, GAPURA_MODE: 'test' }
  const { url, printed } = await startPhp(cwd, env)

  const data = { payment_code: 'GP1', method_type: 'qris', method_data: { qr_string: '' } }
  const body = JSON.stringify({ id: 'event-1', type: 'payment.paid', mode: 'test', data })
  const headers = await sign(body, secret)
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status, printed()).toBe(200)
  await expect.poll(printed, { timeout: 30_000 }).toContain('GP1 paid 5 by qris')
})

/**
 * Starts PHP's web server with receiver.php. PHP cannot choose a free port itself, so another process may have taken the
 * port by the time PHP listens on it. PHP then exits, and this function tries another port.
 */
async function startPhp(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; printed: () => string }> {
  let printed = ''
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { port } = await freeAddress()
    const php = spawn('php', ['-S', `127.0.0.1:${port}`, 'receiver.php'], { cwd, env })
    onTestFinished(() => void php.kill())
    for (const stream of [php.stdout, php.stderr]) stream.on('data', data => (printed += data))
    const started = `(http://127.0.0.1:${port}) started`
    await expect
      .poll(() => printed.includes(started) || php.exitCode !== null, { timeout: 30_000 })
      .toBe(true)
    if (php.exitCode === null) return { url: `http://127.0.0.1:${port}/`, printed: () => printed }
  }
  throw new Error(`PHP could not listen on a port: ${printed}`)
}

/** Returns a free port of this computer. */
async function freeAddress(): Promise<AddressInfo> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return address
}
