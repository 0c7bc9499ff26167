// Runs the code of the PHP and Python guides in cases that the guides do not show: a broken connection, a proxy's error
// page, and a webhook for another payment method. Small stubs replace the generated API clients.

import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { sign } from '../../packages/sdk/src/webhooks.ts'
import { root } from './pages.ts'

const run = promisify(execFile)

/** Returns the code block that has the given title on the documentation page. */
async function blockOf(page: string, title: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8')
  const [, code] = new RegExp(`^\`\`\`\\w+ title="${title}"\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  if (code === undefined) throw new Error(`${page} has no code block with the title ${title}`)
  return code
}

async function placeWith(files: Record<string, string>): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'gapura-retries-'))
  onTestFinished(() => rm(place, { recursive: true }))
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

const phpStubs = `<?php
namespace Gapura { class Configuration { function setHost($url) { $this->url = $url; return $this; }
  function setApiKey() { return $this; } function setApiKeyPrefix() { return $this; } public $url; }
  class ObjectSerializer { static function deserialize($data, $class) { return new $class($data); } } }
namespace Gapura\\Model { interface ModelInterface {}
  class QrisPayment implements ModelInterface { function __construct(public $data) {}
    function getPaymentCode() { return $this->data->payment_code; } function getAmountPaid() { return 5; }
    function getMethodType() { return 'qris'; } function getMethodData() { return $this->data->method_data; } }
  class FailureError { function __construct(public $data) {} function getMessage() { return $this->data->message; } } }
namespace Gapura\\Api { class PaymentsApi { function __construct(private $http, private $config) {}
  function createPaymentRequest($key, $order) {
    return new \\GuzzleHttp\\Psr7\\Request('POST', $this->config->url, ['X-Idempotency-Key' => $key], '{}'); } } }
`

const phpMain = `<?php
require 'GuzzleHttp/autoload.php';
require __DIR__ . '/stubs.php';
require __DIR__ . '/GapuraPayments.php';
try {
  echo (new GapuraPayments($argv[1], 'key'))->create('order-1', new Gapura\\Model\\QrisPayment(null))->data->id;
} catch (GapuraException $error) { echo $error->status, ' ', $error->getMessage(); }
`

const pythonStubs = {
  'httpx.py': `class TransportError(Exception): pass
def Timeout(seconds): pass
`,
  'gapura_client/__init__.py': `import types
def AuthenticatedClient(url, key, prefix, timeout, httpx_args):
    return types.SimpleNamespace(url=url, hooks=httpx_args["event_hooks"]["response"])
`,
  'gapura_client/models.py': `class PaymentEnvelope:
    def __init__(self, data): self.data = data
`,
  'gapura_client/api/__init__.py': '',
  'gapura_client/api/payments/__init__.py': '',
  // Reads responses as the generated client does. It parses a response as JSON only if the API documents the response's
  // status, and ignores other responses.
  'gapura_client/api/payments/create_payment.py': `import json, types, urllib.request, urllib.error
import http.client
import httpx
from ...models import PaymentEnvelope
def sync_detailed(client, body, x_idempotency_key):
    request = urllib.request.Request(client.url, b"{}", {"X-Idempotency-Key": x_idempotency_key})
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        response = error
    except OSError as error:
        raise httpx.TransportError() from error
    try:
        text = response.read()
    except http.client.IncompleteRead as error:
        raise httpx.TransportError() from error
    for hook in client.hooks:
        hook(types.SimpleNamespace(status_code=response.status, headers=response.headers,
            read=lambda: text, json=lambda: json.loads(text)))
    parsed = None
    if response.status == 200:
        parsed = PaymentEnvelope(json.loads(text)["data"])
    elif response.status in (403, 502):
        parsed = types.SimpleNamespace(error=types.SimpleNamespace(**json.loads(text)["error"]))
    return types.SimpleNamespace(status_code=response.status, headers=response.headers, parsed=parsed)
`,
  'main.py': `import os, sys, time
os.environ.update(GAPURA_URL=sys.argv[1], GAPURA_API_KEY="key")
time.sleep = lambda seconds: None
from payments import GapuraError, create
try:
    print(create("order-1", None)["id"], end="")
except GapuraError as error:
    print(error.status, error, end="")
`,
}

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
}

const foreign = (status: number) => `${status} HTTP ${status}, but the response is not from Gapura`
test.each([
  ['PHP', ['reset', 'half', 'ok'], '1'],
  ['PHP', ['page502', 'page504', 'ok'], '1'],
  ['PHP', ['page502', 'page502', 'page502'], foreign(502)],
  ['PHP', ['page504', 'page504', 'page504'], foreign(504)],
  ['PHP', ['json502', 'json502', 'ok'], '1'],
  ['PHP', ['declined'], '502 declined'],
  ['PHP', ['page403'], foreign(403)],
  ['Python', ['reset', 'half', 'ok'], '1'],
  ['Python', ['page502', 'page504', 'ok'], '1'],
  ['Python', ['page502', 'page502', 'page502'], foreign(502)],
  ['Python', ['page504', 'page504', 'page504'], foreign(504)],
  ['Python', ['json502', 'json502', 'ok'], '1'],
  ['Python', ['declined'], '502 declined'],
  ['Python', ['page403'], foreign(403)],
] as const)(
  'the client in the %s guide gets the responses %j and retries with the same idempotency key, unless a provider or firewall rejected the request',
  { timeout: 60_000 },
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
