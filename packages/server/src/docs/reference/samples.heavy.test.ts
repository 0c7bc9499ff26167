// Compiles and runs the samples in the API reference. Most operations need data that does not exist in this
// test. The samples are therefore sent to a server that only records the requests.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curlOf } from './curl.ts'
import { groupsOf } from './document.ts'
import { examplesOf } from './example.ts'
import { sdkCalls } from './sdk-calls.ts'
import { sdkSampleOf } from './sdk-sample.ts'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../../../../..')
const sdk = join(repository, 'packages/sdk/src/index.ts')
const document = JSON.parse(await readFile(join(repository, 'openapi/openapi.json'), 'utf8'))
const operations = groupsOf(document)
  .filter(({ slug }) => slug !== 'webhook-events')
  .flatMap(group => group.operations)
const calls = operations.flatMap(operation => examplesOf(operation).map(example => ({ operation, example })))

type Request = { call: string; method: string; path: string; headers: Record<string, unknown>; body: unknown }
const requests: Request[] = []
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  const { pathname, searchParams } = new URL(request.url ?? '', service)
  const { authorization, 'content-type': type, 'x-idempotency-key': given } = request.headers
  // The SDK adds a random idempotency key to requests that change settings, but the curl sample does not. The
  // comparison therefore ignores this key.
  const key = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(given)) ? undefined : given
  requests.push({
    call: '',
    method: request.method ?? '',
    path: `${pathname} ${JSON.stringify([...searchParams].sort())}`,
    headers: { authorization, key, type: body === '' ? undefined : type?.split(';')[0] },
    body: type?.startsWith('application/json') && body !== '' ? JSON.parse(body) : body,
  })
  response.setHeader('content-type', 'application/json')
  response.end('{"success":true,"data":{"items":[],"next_cursor":null}}')
})
let service: string
let directory: string
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  directory = await mkdtemp(join(tmpdir(), 'samples-'))
})
afterAll(async () => {
  server.close()
  await rm(directory, { recursive: true, force: true })
})

/**
 * Returns a single module with all TypeScript samples. Each sample is a block, so that it has its own
 * variables.
 */
const moduleOf = (): string =>
  `import { Gapura } from ${JSON.stringify(sdk)}\n${calls
    .map(({ operation, example }) => {
      const sample = sdkSampleOf(operation, example, service)
      const [first, ...lines] = sample.split('\n')
      expect(first).toBe("import { Gapura } from '@gapura/sdk'")
      return `// ${operation.operationId} ${example.name}\n{\n${lines.join('\n')}\n}\n`
    })
    .join('')}`

/**
 * Returns the requests that the server receives while `make` runs the code samples. Each request gets the name of the
 * operation that its sample calls.
 */
async function requestsDuring(make: () => Promise<unknown>): Promise<Request[]> {
  requests.length = 0
  await make()
  return requests.map((request, at) => ({ ...request, call: calls[at]?.operation.operationId ?? 'too many' }))
}

test('the table of SDK calls in the documentation contains exactly the operations in the OpenAPI document', () => {
  expect(Object.keys(sdkCalls).sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
})

test('every operation’s SDK sample in the documentation compiles', { timeout: 120_000 }, async () => {
  await writeFile(join(directory, 'samples.ts'), moduleOf())
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
  const target = ['--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom,dom.asynciterable']
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  const { stdout } = await run(
    join(repository, 'node_modules/.bin/tsc'),
    [...options, ...target, '--types', '', 'samples.ts'],
    { cwd: directory },
  ).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

test("an operation's curl sample and SDK sample send the request that the OpenAPI document describes", async () => {
  const script = calls
    .map(({ operation, example }) => curlOf(operation, example, service))
    .join(' || exit 1\n')
  const byCurl = await requestsDuring(() => run('sh', ['-c', script]))
  const file = join(directory, 'run.mts')
  await writeFile(file, moduleOf())
  const bySdk = await requestsDuring(() => run(process.execPath, [file]))
  expect(byCurl).toHaveLength(calls.length)
  expect(bySdk).toEqual(byCurl)
  const paths = byCurl.map(({ method, path }) => `${method} ${path.split(' ')[0]}`)
  for (const [at, { operation, example }] of calls.entries()) {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(example.path[name]))
    expect(decodeURIComponent(paths[at] ?? '')).toBe(`${operation.method} ${path}`)
    expect(byCurl[at]?.body ?? '').toEqual(example.body ?? '')
  }
})
