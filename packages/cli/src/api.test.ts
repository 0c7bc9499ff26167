import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { aPayment, failure, ok, service } from '../test/service.ts'

const payments = {
  items: [aPayment, { ...aPayment, id: '2', customer_name: 'Ani\nRp 1' }],
  next_cursor: null,
}
const run = (baseUrl: string, args: string[], input = '') =>
  newHome().gapura(args, { env: { GAPURA_API_KEY: 'gp_test_key', GAPURA_BASE_URL: baseUrl }, input })

test('gapura api sends every part of the request to the service, and prints the whole response', async () => {
  const { baseUrl, asked } = await service(() => ok(aPayment))
  const { exitCode, stdout } = await run(
    baseUrl,
    [
      'api',
      'post',
      '/v1/payments/create',
      '-d',
      '-',
      '-q',
      'a=b=c',
      '-q',
      'd=e f',
      '-H',
      'X-Idempotency-Key: o-1',
    ],
    '{"amount":1}',
  )
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ success: true, data: aPayment })
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: '/v1/payments/create?a=b%3Dc&d=e+f',
    body: { amount: 1 },
    headers: { authorization: 'ApiKey gp_test_key', 'x-idempotency-key': 'o-1' },
  })
})

test('if a request fails, gapura api exits with 1, or with 4 for an invalid credential', async () => {
  for (const [status, code] of [
    [404, 1],
    [401, 4],
  ] as const) {
    const { baseUrl } = await service(() => failure(status, 'CODE', 'reason'))
    const { exitCode, stdout, stderr } = await run(baseUrl, ['api', 'GET', '/v1/payments/1'])
    expect(exitCode).toBe(code)
    expect(JSON.parse(stdout).error.message).toBe('reason')
    expect(stderr).toMatch(new RegExp(`^gapura: HTTP ${status}`))
  }
})

test.each(['v1/account', '//evil.example.com/v1', 'https://evil.example.com/'])(
  'gapura api rejects the path %s, because the request could otherwise send the credential to another host',
  async path => {
    const { baseUrl, asked } = await service(() => ok({}))
    const { exitCode, stderr } = await run(baseUrl, ['api', 'GET', path])
    expect([exitCode, asked.length]).toEqual([2, 0])
    expect(stderr).toContain('must start with one slash')
  },
)

test("--jq filters every command's JSON output, and prints strings without quotes", async () => {
  const { baseUrl } = await service(() => ok(payments))
  const { exitCode, stdout, stderr } = await run(baseUrl, [
    ...['payments', 'list', '--jq', '.items[] | .id, {amount}'],
  ])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toBe(`${aPayment.id}\n{"amount":10000000}\n2\n{"amount":10000000}\n`)
})

test('--template replaces a line break in a value with a space, so each item stays on one line', async () => {
  const { baseUrl } = await service(() => ok(payments))
  const { stdout } = await run(baseUrl, [
    ...['payments', 'list', '--template', '{{#items}}{{customer_name}}\\t{{amount}}\\n{{/items}}'],
  ])
  expect(stdout).toBe(`${aPayment.customer_name}\t10000000\nAni Rp 1\t10000000\n`)
})

const hostile = { ...aPayment, customer_name: '\x1b]52;c;eA==\x07\x1b[31mBudi\r\u009b2J\tTwo\nlines' }

test.each([
  ['gapura api with text', ['api', 'GET', '/'], hostile.customer_name],
  ['--jq', ['payments', 'get', '1', '--jq', '.customer_name'], `${hostile.customer_name}\n`],
  ['--template', ['payments', 'get', '1', '--template', '{{{customer_name}}}'], `${hostile.customer_name}\n`],
])(
  'on a terminal, %s prints no control characters of a customer except line breaks and tabs; a pipe gets the text unchanged',
  async (_, args, unchanged) => {
    const { baseUrl } = await service(() =>
      args[0] === 'api' ? { status: 200, body: hostile.customer_name } : ok(hostile),
    )
    const env = { GAPURA_API_KEY: 'gp_test_key', GAPURA_BASE_URL: baseUrl }
    const onTerminal = await newHome().gapura(args, { env, columns: 100 })
    expect(onTerminal.stdout.trim()).toBe('Budi \tTwo\nlines')
    expect((await run(baseUrl, args)).stdout).toBe(unchanged)
  },
)

test('JSON output escapes every control character', async () => {
  const { baseUrl } = await service(() => ok(hostile))
  const { stdout } = await run(baseUrl, ['payments', 'get', '1', '--json'])
  expect(JSON.parse(stdout)).toEqual(hostile)
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('gapura api prints a CSV file with its byte order mark', async () => {
  const { baseUrl } = await service(() => ({ status: 200, body: '\ufeffid,amount\r\n' }))
  const env = { GAPURA_API_KEY: 'gp_test_key', GAPURA_BASE_URL: baseUrl }
  expect((await newHome().process(['api', 'GET', '/v1/payments'], { env })).stdout).toBe(
    '\ufeffid,amount\r\n',
  )
})

test.each([
  ['an invalid --jq filter', ['payments', 'get', '1', '--jq', '.items['], '--jq: syntax error'],
  ['an invalid --template', ['payments', 'get', '1', '--template', '{{#items}}'], '--template: '],
  [
    'the use of --jq together with --template',
    ['payments', 'get', '1', '--jq', '.', '--template', ''],
    'not both',
  ],
  ['--jq for a command that prints no JSON', ['completion', 'bash', '--jq', '.'], 'does not print'],
])('the CLI reports a usage error and exits with code 2 for %s', async (_, args, said) => {
  const { baseUrl } = await service(() => ok(aPayment))
  const { exitCode, stdout, stderr } = await run(baseUrl, args)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^gapura: .+\n$/)
  expect(stderr).toContain(said)
})

test.each([
  ['--jq', '.['],
  ['--template', '{{#items}}'],
])('a refund with an invalid %s is not sent to the service', async (option, text) => {
  let requests = 0
  const { baseUrl } = await service(() => {
    requests += 1
    return ok(aPayment)
  })
  const { exitCode } = await run(baseUrl, ['refunds', 'create', '1', '--yes', option, text])
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: 0 })
})

test('if a valid --jq filter fails on the response, the CLI exits with code 1 and shows the response', async () => {
  const { baseUrl } = await service(() => ok(aPayment))
  const { exitCode, stdout, stderr } = await run(baseUrl, ['payments', 'get', '1', '--jq', '.id.x'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toMatch(/^gapura: --jq: .+the command succeeded.+\n$/)
  expect(stderr).toContain(`"id":"${aPayment.id}"`)
})

test("a failing jq filter does not change the process's exit code", async () => {
  const { baseUrl } = await service(() => ok(aPayment))
  const before = process.exitCode
  await run(baseUrl, ['payments', 'get', '1', '--jq', '.items['])
  expect(process.exitCode).toBe(before)
})

test('the CLI prints colors only on a terminal, and never with NO_COLOR or --no-color', async () => {
  const { baseUrl } = await service(() => ok(aPayment))
  const env = { GAPURA_API_KEY: 'gp_test_key', GAPURA_BASE_URL: baseUrl, TERM: 'xterm' }
  const get = ['payments', 'get', aPayment.id]
  const colored = async (args: string[], more: object, columns?: number) =>
    (
      await newHome().gapura(args, { env: { ...env, ...more }, ...(columns !== undefined && { columns }) })
    ).stdout.includes('\x1b[1m')
  expect(await colored(get, {}, 100)).toBe(true)
  expect(await colored(get, {})).toBe(false)
  expect(await colored(get, { NO_COLOR: '1' }, 100)).toBe(false)
  expect(await colored(get, { TERM: 'dumb' }, 100)).toBe(false)
  expect(await colored([...get, '--no-color'], {}, 100)).toBe(false)
})

test('if a proxy returns an error page for a refund, the CLI shows the idempotency key for a retry', async () => {
  const { baseUrl, asked } = await service(() => ({ status: 404, body: '<html>' }))
  const { exitCode, stderr } = await run(baseUrl, ['refunds', 'create', '1', '--yes'])
  expect(exitCode).toBe(1)
  const key = asked[0]?.headers['x-idempotency-key']
  expect(stderr).toContain(`--idempotency-key ${key}`)
})

test('the filters of a list of refunds are rejected together with --payment, instead of being ignored', async () => {
  const { baseUrl, asked } = await service(() => ok([]))
  const { exitCode, stderr } = await run(baseUrl, ['refunds', 'list', '--payment', '1', '--status', 'failed'])
  expect({ exitCode, requests: asked.length }).toEqual({ exitCode: 2, requests: 0 })
  expect(stderr).toContain('--payment')
})
