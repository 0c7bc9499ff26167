import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { type Asked, failure, ok, service } from '../test/service.ts'

const TOTAL = 230
const tenants = Array.from({ length: TOTAL }, (_, n) => ({
  id: `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  name: `Toko ${n}`,
  role: 'client',
  tier: 'starter',
  parent_id: null,
  status: 'active',
  created_at: '2026-11-20T03:04:05.678Z',
  updated_at: '2026-11-20T03:04:05.678Z',
}))

/** Returns pages of items as the service does. The cursor is the index of the next item. */
const answer = ({ path }: Asked) => {
  const query = new URL(path, 'http://service').searchParams
  const limit = Number(query.get('limit'))
  if (!(limit >= 1 && limit <= 100)) return failure(400, 'BAD_REQUEST', 'bad request: limit: 1 to 100')
  const from = Number(query.get('cursor') ?? 0)
  const next = from + limit < TOTAL ? String(from + limit) : null
  return ok({ items: tenants.slice(from, from + limit), next_cursor: next })
}

async function list(...args: string[]) {
  const { baseUrl, asked } = await service(answer)
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const home = newHome()
  return { asked, env, home, ...(await home.gapura(['tenants', 'list', ...args], { env })) }
}

test.each([
  ['without a limit', [], 20, 1],
  ['with a limit above a page', ['--limit', '130'], 130, 2],
  ['with a limit of one page', ['--limit', '100'], 100, 1],
  ['with a limit above the total', ['--limit', '999'], TOTAL, 3],
  ['with --all', ['--all'], TOTAL, 3],
])(
  '%s, a list command prints each requested item once and requests only the pages that it needs',
  async (_, args, count, requests) => {
    const { stdout, stderr, asked } = await list(...args, '--json')
    const { items, next_cursor } = JSON.parse(stdout)
    expect(items).toEqual(tenants.slice(0, count))
    expect(next_cursor).toBe(count < TOTAL ? String(count) : null)
    expect(asked).toHaveLength(requests)
    expect(stderr).toBe('')
  },
)

test('if a list command omits items, it prints on stderr how to see them', async () => {
  const { stdout, stderr } = await list('--limit', '2')
  expect(stdout.split('\n')).toHaveLength(4)
  expect(stderr).toBe('More items are available: add --all, or continue with\n  --cursor 2\n')
})

test.each([
  ['as a table', []],
  ['as JSON', ['--json']],
])(
  'if a request for a page fails, a list command prints the items that it has read and the cursor to continue with, and then ends with an error: %s',
  async (_, flags) => {
    const { baseUrl } = await service(asked =>
      asked.path.includes('cursor=200') ? failure(403, 'FORBIDDEN', 'forbidden') : answer(asked),
    )
    const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
    const args = ['tenants', 'list', '--all', ...flags]
    const { exitCode, stdout, stderr } = await newHome().gapura(args, { env })
    expect(exitCode).toBe(1)
    const [first = '', second, third = ''] = stderr.trimEnd().split('\n')
    if (flags.length > 0) {
      expect(JSON.parse(stdout)).toEqual({ items: tenants.slice(0, 200), next_cursor: '200' })
      expect(JSON.parse(first).error.code).toBe('FORBIDDEN')
    } else {
      expect(stdout.trimEnd().split('\n')).toHaveLength(201)
      expect([first, second]).toEqual([
        'The list is incomplete because a request failed. Continue with',
        '  --cursor 200',
      ])
      expect(third).toContain('gapura: ')
    }
  },
)

test("if the request for a list's first page fails, the command prints only one line with the error", async () => {
  const { baseUrl } = await service(() => failure(403, 'FORBIDDEN', 'forbidden'))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const { exitCode, stdout, stderr } = await newHome().gapura(['tenants', 'list', '--all'], { env })
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a list command sends --order with every page, but --count only with the first page', async () => {
  const item = tenants[0]
  const { baseUrl, asked } = await service(({ path }) =>
    path.includes('cursor')
      ? ok({ items: [item], next_cursor: null })
      : ok({ items: [item], next_cursor: 'next', total: { count: 10_000, is_exact: false } }),
  )
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const args = ['payments', 'list', '--order', 'oldest', '--count', '--all']
  const { stdout } = await newHome().gapura([...args, '--json'], { env })
  expect(JSON.parse(stdout)).toEqual({
    items: [item, item],
    next_cursor: null,
    total: { count: 10_000, is_exact: false },
  })
  const queries = asked.map(({ path }) => new URL(path, 'http://service').searchParams)
  expect(queries.map(query => [query.get('order'), query.get('count')])).toEqual([
    ['oldest', 'true'],
    ['oldest', null],
  ])
})

test('a list command with --count shows on stderr how many items match', async () => {
  const env = { GAPURA_ACCESS_TOKEN: 'token' }
  const shown = async (total: object) => {
    const { baseUrl } = await service(() => ok({ items: [], next_cursor: null, total }))
    const args = ['payments', 'list', '--mode', 'test', '--count']
    return (await newHome().gapura(args, { env: { ...env, GAPURA_BASE_URL: baseUrl } })).stderr
  }
  expect(await shown({ count: 1_234, is_exact: true })).toContain('Matching items: 1,234\n')
  expect(await shown({ count: 10_000, is_exact: false })).toContain('Matching items: 10,000+\n')
})

test('on a terminal, a list command shows a progress line only while it loads pages', async () => {
  const { home, env } = await list()
  const { screen } = await home.terminal(['tenants', 'list', '--all'], env).ended()
  expect(screen).toContain(
    '\r\x1b[K100 items read, loading more\r\x1b[K200 items read, loading more\r\x1b[KID',
  )
  expect(screen.split('\r\n').filter(line => line.length > 80 && !line.includes('\x1b'))).toEqual([])
})

test.each(['--limit 0', '--limit many', '--limit 2 --all'])(
  'a list command with %s is rejected as a usage error',
  async args => {
    const { exitCode, asked } = await list(...args.split(' '))
    expect(exitCode).toBe(2)
    expect(asked).toHaveLength(0)
  },
)

test('for an empty list, the CLI prints a note to stderr, or an empty JSON list with --json', async () => {
  const { baseUrl } = await service(() => ok({ items: [], next_cursor: null }))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_key' }
  const shown = await newHome().gapura(['payments', 'list'], { env })
  expect(shown).toEqual({ exitCode: 0, stdout: '', stderr: 'No payments found.\n' })
  const json = await newHome().gapura(['payments', 'list', '--json'], { env })
  expect(JSON.parse(json.stdout)).toEqual({ items: [], next_cursor: null })
  expect(json.stderr).toBe('')
})

const none = () => ok({ items: [], next_cursor: null })
const livePayments = 'No payments found. This list covers live mode; add --mode test for test mode.'

test.each([
  ['a user who has not chosen a mode', 'GAPURA_ACCESS_TOKEN', [], livePayments],
  ['a user who has chosen a mode', 'GAPURA_ACCESS_TOKEN', ['--mode', 'live'], 'No payments found.'],
  ['an API key, which has a mode', 'GAPURA_API_KEY', [], 'No payments found.'],
])(
  'for an empty list, the CLI suggests test mode only if the user has not chosen a mode: %s',
  async (_, credential, flags, text) => {
    const { baseUrl } = await service(none)
    const env = { GAPURA_BASE_URL: baseUrl, [credential]: 'gp_test_key' }
    const { stderr } = await newHome().gapura(['payments', 'list', ...flags], { env })
    expect(stderr).toBe(`${text}\n`)
  },
)

test('if a payment has no webhooks, the CLI does not suggest the other mode (live or test)', async () => {
  const { baseUrl } = await service(none)
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const args = ['webhooks', 'deliveries', '--payment', '01990000-0000-7000-8000-000000000001']
  expect((await newHome().gapura(args, { env })).stderr).toBe('No webhooks found.\n')
})
