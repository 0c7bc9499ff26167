// Sends raw bytes that an attacker might send. Each request must get a status below 500 or a closed connection, and
// the service must still serve the next caller.

import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { exchange, head, type RawAnswer } from '../support/raw-http.ts'

let demo: TestApp['demo']
let auth: string
beforeAll(async () => {
  ;({ demo } = await testApp({ worker: false }))
  auth = `Authorization: ApiKey ${demo.client.test_key}`
})
afterEach(async () => {
  expect(
    (await fetch(`${demo.base_url}/v1/active-methods`, { headers: { authorization: auth.slice(15) } }))
      .status,
  ).toBe(200)
})

const send = (...parts: (string | Buffer)[]) => exchange(demo.base_url, ...parts)
const codeOf = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error?.code]
const BAD = [400, 'BAD_REQUEST']
const methods = 'GET /v1/active-methods HTTP/1.1'
const create = 'POST /v1/payments/create HTTP/1.1'
/**
 * A smuggled request, which is hidden in the body of another request. If it gets a response, the server has wrongly
 * read it as a separate request.
 */
const smuggled = `GET /healthz HTTP/1.1\r\nHost: gapura\r\n\r\n`

describe('an HTTP request whose end is ambiguous is rejected, and nothing after it is read', () => {
  const chunked = `0\r\n\r\n${smuggled}`
  test.each([
    ['Content-Length before chunked', ['Content-Length: 6', 'Transfer-Encoding: chunked'], chunked],
    ['chunked before Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked],
    ['two different lengths', ['Content-Length: 0', 'Content-Length: 44'], smuggled],
    ['two equal lengths', ['Content-Length: 2', 'Content-Length: 2'], `{}${smuggled}`],
    ['a list of Content-Lengths', ['Content-Length: 0, 44'], smuggled],
    ['a signed length', ['Content-Length: +0'], smuggled],
    ['a negative length', ['Content-Length: -1'], smuggled],
    ['a hexadecimal length', ['Content-Length: 0x0'], smuggled],
    ['a Content-Length with a space', ['Content-Length: 4 4'], smuggled],
    ['a Content-Length beyond 64 bits', ['Content-Length: 18446744073709551616'], smuggled],
    ['a space before the colon', ['Transfer-Encoding : chunked'], chunked],
    ['an unknown transfer coding', ['Transfer-Encoding: xchunked'], chunked],
    ['chunked before another coding', ['Transfer-Encoding: chunked, identity'], chunked],
    ['chunked in two headers', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked],
    ['a transfer coding with a control character', ['Transfer-Encoding: \x0bchunked'], chunked],
    ['a bare line feed', ['X: y\nTransfer-Encoding: chunked'], chunked],
    ['a bare carriage return', ['X: y\rTransfer-Encoding: chunked'], chunked],
    ['a NUL byte', ['X: y\0z'], smuggled],
    ['a header without a name', [': x'], smuggled],
    ['a line that is not a header', ['x'], smuggled],
    ['an invalid chunk size', ['Transfer-Encoding: chunked'], `zz\r\n${smuggled}`],
    ['a chunk size beyond 64 bits', ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${smuggled}`],
    ['a chunk longer than its size', ['Transfer-Encoding: chunked'], `1\r\nab\r\n${chunked}`],
    ['a chunk that ends with a bare line feed', ['Transfer-Encoding: chunked'], `1\na\n${chunked}`],
  ])('nothing is read after an HTTP request whose end is ambiguous: %s', async (_, headers, body) => {
    const answers = await send(`${[create, 'Host: gapura', auth, ...headers].join('\r\n')}\r\n\r\n${body}`)
    expect(answers.map(codeOf)).toEqual([BAD])
    expect(answers[0]?.headers.connection).toBe('close')
  })

  test('after an HTTP request without a body, the next bytes on the connection are read as another request', async () => {
    const answers = await send(
      `${[methods, 'Host: gapura', auth].join('\r\n')}\r\n\r\n${head('GET /healthz HTTP/1.1')}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('invalid HTTP/1.1 requests are rejected and do not affect other requests', () => {
  test.each([
    ['text that is not HTTP', 'NONSENSE\r\n\r\n'],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', head('GET / HTTP/9.9')],
    ['an unknown method', head('BREW / HTTP/1.1')],
    ['a space in the path', head('GET /v1/ active-methods HTTP/1.1')],
    ['a carriage return in the path', head('GET /v1/\ractive-methods HTTP/1.1')],
    ['TLS', Buffer.from('1603010200010001fc0303', 'hex')],
    ['zero bytes', Buffer.alloc(1_000)],
  ])('bytes that are not a valid HTTP/1.1 request are rejected: %s', async (_, bytes) => {
    expect((await send(bytes)).map(codeOf)).toEqual([BAD])
  })

  test('a CONNECT request opens no tunnel', async () => {
    expect(await send(head('CONNECT 127.0.0.1:5432 HTTP/1.1'))).toEqual([])
  })

  test('if a client closes its connection in the middle of a request, other requests are still answered', async () => {
    const { port, hostname } = new URL(demo.base_url)
    for (const bytes of ['GET /v1', `${create}\r\nContent-Length: 100\r\n\r\n{"amount"`]) {
      const socket = connect(Number(port), hostname)
      await new Promise(resolve => socket.write(bytes, resolve))
      socket.destroy()
    }
  })
})

describe('the server answers unusual HTTP requests with the expected status and continues to work', () => {
  test.each([
    ['with HTTP/1.0', [`GET /v1/active-methods HTTP/1.0`], 200],
    ['with an absolute URL', ['GET http://elsewhere.example/v1/active-methods HTTP/1.1'], 200],
    ['with an upgrade to HTTP/2', [methods, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'], 200],
    ['with an upgrade to a WebSocket', [methods, 'Upgrade: websocket', 'Sec-WebSocket-Key: eA=='], 200],
    [
      'with another method in a header',
      [methods, 'X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE'],
      200,
    ],
    ['with another path in a header', [methods, 'X-Original-URL: /metrics', 'X-Rewrite-URL: /metrics'], 200],
    ['with two host names', [methods, 'Host: elsewhere.example'], 400],
    ['with invalid UTF-8 in a header', [methods, 'X-Request-Id: \xff\xfe', 'User-Agent: \xff'], 200],
    ['with OPTIONS *', ['OPTIONS * HTTP/1.1'], 404],
    ['with TRACE', ['TRACE /v1/active-methods HTTP/1.1'], 405],
    ['with HEAD', ['HEAD /v1/active-methods HTTP/1.1'], 200],
  ])(
    'an unusual HTTP request %s gets a regular response with a request ID',
    async (_, [line = '', ...headers], status) => {
      const [answer] = await send(Buffer.from(head(line, auth, ...headers), 'latin1'))
      expect(answer?.status).toBe(status)
      expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test('pipelined requests on one connection get their responses in the order of the requests', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `pipelined-${i}`)
    const request = (id: string) => `${methods}\r\nHost: gapura\r\n${auth}\r\nX-Request-Id: ${id}\r\n\r\n`
    const answers = await send(ids.map(request).join('') + head('GET /healthz HTTP/1.1'))
    expect(answers.map(({ headers }) => headers['x-request-id']).slice(0, -1)).toEqual(ids)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test('a client that waits for each response can send 100 requests on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const statuses: (number | undefined)[] = []
    for (let n = 0; n < 100; n++) {
      const asked = get(`${demo.base_url}/healthz`, { agent })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      statuses.push(response.statusCode)
      await once(response.resume(), 'end')
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('a request with more than 16 KiB of headers is rejected as too large', async () => {
    for (const headers of [
      [`X: ${'x'.repeat(20_000)}`],
      Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`),
    ]) {
      const [answer] = await send(head(methods, auth, ...headers))
      expect(codeOf(answer as RawAnswer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
    const [answer] = await send(head(`GET /v1/${'x'.repeat(20_000)} HTTP/1.1`))
    expect(codeOf(answer as RawAnswer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('a request line without an HTTP version is read as HTTP/0.9 without headers', async () => {
    const answers = await send('GET /v1/active-methods\r\n\r\n')
    expect(answers.map(codeOf)).toEqual([[401, 'UNAUTHORIZED']])
  })

  test('a request with a hundred headers is read completely, including the last header', async () => {
    const [answer] = await send(head(methods, ...Array.from({ length: 100 }, (_, i) => `x${i}: y`), auth))
    expect(answer?.status).toBe(200)
  })
})

describe('a path that only resembles a known path is not served as the known path', () => {
  test.each([
    '//v1/active-methods',
    '/v1//active-methods',
    '/./v1/active-methods',
    '/v1/./active-methods',
    '/healthz/../v1/active-methods',
    '/v1/payments/../active-methods',
    '/%76%31/active-methods',
    '/v1%2factive-methods',
    '/v1/active%2dmethods',
    '/v1/%2e%2e/v1/active-methods',
    '/V1/Active-Methods',
    '/v1/active-methods%00',
    '/v1/active-methods%20',
    '/v1/active-methods;x=1',
    '/v1/active-methods.json',
    '/v1\\active-methods',
    '/v1/active-methods/%2e',
    '/v1/payments/%',
    '/v1/payments/%ff',
    '/v1/payments/%c0%ae%c0%ae',
    '/v1/payments/%2e%2e',
    '/v1/payments/..%2f..%2fhealthz',
    '/v1/payments/__proto__',
    '/METRICS',
    '/docs/..%2f..%2fpackage.json',
    '/docs/assets/..%2f..%2f/package.json',
    '/docs/assets/%2e%2e/%2e%2e%2fserver.ts',
    '/docs/%00',
    '/docs/%ff',
    '/docs/__proto__',
    '/docs/assets/__proto__/constructor',
    '/trpc/__proto__',
    '/trpc/constructor',
    '/trpc/payments.__proto__',
    '/trpc/payments.get.constructor',
  ])('the path %s returns 404, although it resembles a known path', async path => {
    const [answer] = await send(head(`GET ${path} HTTP/1.1`, auth))
    expect(answer?.status).toBe(404)
  })

  test('bytes that are not UTF-8 in a path or query do not cause a server error', async () => {
    for (const path of [
      '/v1/payments/\xff',
      '/\xc0\xae',
      '/v1/payments?cursor=\xff',
      '/v1/payments?cursor=%ff',
      '/v1/payments?%ff=%',
    ])
      for (const { status } of await send(Buffer.from(head(`GET ${path} HTTP/1.1`, auth), 'latin1'))) {
        expect(status, path).toBeGreaterThanOrEqual(200)
        expect(status, path).toBeLessThan(500)
      }
  })
})

describe('invalid request bodies are rejected, for example bodies with a duplicate key or invalid UTF-8', () => {
  const post = async (body: string | Buffer, ...headers: string[]) => {
    const bytes = Buffer.from(body as string)
    const lines = [auth, 'X-Idempotency-Key: hostile', 'Content-Type: application/json', ...headers]
    const [answer] = await send(
      Buffer.concat([Buffer.from(head(create, ...lines, `Content-Length: ${bytes.length}`)), bytes]),
    )
    const { error } = JSON.parse(answer?.body ?? '') as { error?: { code: string; message: string } }
    return [answer?.status, error?.message]
  }
  const order = (members: string) =>
    `{"currency":"IDR","method_type":"qris","method_detail":{"type":"qris"},"customer_name":"Budi",${members}}`
  const refused = (message: string) => [400, `bad request: ${message}`]

  test('a request body with a duplicate key is rejected with an error that names the key', async () => {
    expect(await post(order('"amount":10000000,"amount":100'))).toEqual(
      refused('body: has an object with the key "amount" twice'),
    )
    expect(await post(order('"amount":10000000,"\\u0061mount":10000000'))).toEqual(
      refused('body: has an object with the key "amount" twice'),
    )
  })

  test('a tRPC request body with a duplicate key is rejected', async () => {
    const response = await fetch(`${demo.base_url}/trpc/payments.cancel`, {
      method: 'POST',
      headers: { authorization: auth.slice(15), 'content-type': 'application/json' },
      body: '{"payment_id":"a","payment_id":"b"}',
    })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('has an object with the key \\"payment_id\\" twice'),
    ])
  })

  test('a request body with a hundred thousand levels of nesting is rejected', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(await post(order(`"amount":${deep}`))).toEqual(refused('body: is nested deeper than 32 levels'))
    expect(await post(order(`"unknown":${deep}`))).toEqual(refused('body: is nested deeper than 32 levels'))
  })

  test.each([
    '1e400',
    '-1e400',
    '9007199254740993',
    '1e15',
    '0.1',
    '10000000.5',
    '-0',
    '1e-400',
    `1${'0'.repeat(100_000)}`,
    `0.${'0'.repeat(100_000)}1`,
    '"10000000"',
    'null',
    '[10000000]',
  ])(
    'a request body with %.20s as the amount is rejected, and the error names the field amount',
    async amount => {
      const [status, message] = await post(order(`"amount":${amount}`))
      expect([status, message]).toEqual([400, expect.stringMatching(/^bad request: amount: /)])
    },
  )

  test('request body keys such as __proto__ or constructor are ignored and do not change any JavaScript prototype', async () => {
    for (const members of [
      '"__proto__":{"amount":10000000}',
      '"constructor":{"prototype":{"amount":10000000}}',
      '"__proto__":{"__proto__":{"amount":10000000}},"prototype":{"amount":10000000}',
    ])
      expect(await post(order(members))).toEqual([400, expect.stringMatching(/^bad request: amount: /)])
    expect(({} as { amount?: number }).amount).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each([
    ['the first byte of two', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half of a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a character beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
  ])('a request body of invalid UTF-8 is rejected: %s', async (_, bytes) => {
    expect(await post(Buffer.from(bytes))).toEqual(refused('body: is not valid UTF-8'))
  })

  test('a request body with a content type other than JSON, or with a content encoding, is not read as JSON', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
    ])
      expect(await sendAs(type)).toBe(415)
    async function sendAs(type: string) {
      const [answer] = await send(`${head(create, auth, `Content-Type: ${type}`, 'Content-Length: 2')}{}`)
      return answer?.status
    }
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x'])
      expect(await post('{}', `Content-Encoding: ${coding}`)).toEqual([
        415,
        'unsupported media type: send the body without Content-Encoding',
      ])
    expect(await post(order('"amount":-1'), 'Content-Encoding: identity')).toEqual([
      400,
      expect.stringMatching(/^bad request: amount: /),
    ])
  })

  test('a request body is rejected before it is received if its Content-Length exceeds the limit', async () => {
    const lines = [auth, 'Content-Type: application/json', 'X-Idempotency-Key: hostile']
    const answers = await send(head(create, ...lines, 'Content-Length: 1000000000'))
    expect(answers.map(codeOf)).toEqual([[413, 'PAYLOAD_TOO_LARGE']])
  })

  test('the body of a request to /trpc is not read if tRPC does not support the request’s method', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const lines = [`${method} /trpc/payments.get HTTP/1.1`, auth, 'Content-Length: 1000000000']
      const [answer] = await send(head(...lines))
      expect([answer?.status, answer?.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    }
  })

  test('a request body that exceeds the limit while it is being received is rejected before it ends', async () => {
    const lines = [
      auth,
      'Content-Type: application/json',
      'X-Idempotency-Key: hostile',
      'Transfer-Encoding: chunked',
    ]
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    const [answer] = await send(head(create, ...lines), chunk.repeat(5))
    expect(codeOf(answer as RawAnswer)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})
