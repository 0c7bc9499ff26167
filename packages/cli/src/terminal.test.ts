import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { type Asked, failure, ok, service } from '../test/service.ts'

const tenant = {
  id: '01990000-0000-7000-8000-000000000010',
  name: 'Toko Budi',
  role: 'client',
  tier: 'starter',
  parent_id: null,
  status: 'active',
  created_at: '2026-11-20T03:04:05.678Z',
  updated_at: '2026-11-20T03:04:05.678Z',
}
const account = { ...tenant, user: { id: '1', email: 'budi@example.com', created_at: tenant.created_at } }
const login = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 900 }
const provider = {
  code: 'doku',
  name: 'DOKU',
  methods: [],
  credentials: {
    type: 'object',
    properties: { client_id: {}, secret: {}, note: {} },
    required: ['client_id', 'secret'],
  },
}

const answer = ({ path, body, method }: Asked) => {
  if (path === '/v1/auth/login')
    return body.password === 'right "horse" €'
      ? ok(login)
      : failure(401, 'UNAUTHORIZED', 'unauthorized: email address or password is wrong')
  if (path === '/v1/account') return ok(account)
  if (path === '/v1/providers') return ok({ items: [provider], next_cursor: null })
  if (path.startsWith('/v1/tenants/') && method === 'PATCH') return ok({ ...tenant, ...body })
  return ok({ ...tenant, provider_code: 'doku', mode: 'test', base_url: null, enabled: true })
}

async function loggedIn() {
  const { baseUrl, asked } = await service(answer)
  const home = newHome()
  const session = {
    email: 'o',
    access_token: 'a',
    access_token_expires_at: Date.now() + 900_000,
    refresh_token: 'r',
  }
  home.profiles({ default: { base_url: baseUrl, session } })
  return { home, asked }
}

test('login prompts for the email address and the password, stores the session and never shows the password', async () => {
  const { baseUrl } = await service(answer)
  const home = newHome()
  const terminal = home.terminal(['login', '--base-url', baseUrl])
  await terminal.shows('Email: ')
  terminal.type('budi@example.com\r')
  await terminal.shows('Password: ')
  terminal.type('right "horse" €\r')
  const { exitCode, screen } = await terminal.ended()
  expect(exitCode).toBe(0)
  expect(screen).toContain('Logged in as budi@example.com')
  expect(screen).not.toContain('horse')
  expect(home.profiles().default).toMatchObject({
    base_url: baseUrl,
    session: { refresh_token: 'refresh-1' },
  })
})

test('after a password prompt, the up arrow key does not show the typed password', async () => {
  const { home } = await loggedIn()
  const terminal = home.terminal(['users', 'create', '--email', 'siti@example.com'])
  await terminal.shows('Password for siti@example.com: ')
  terminal.type('correct horse\r')
  await terminal.shows('Repeat the password: ')
  terminal.type('\x1b[A\r')
  const { exitCode, screen } = await terminal.ended()
  expect(exitCode).toBe(2)
  expect(screen).toContain('the passwords do not match')
  expect(screen).not.toContain('horse')
})

test('if a user pastes several lines into a prompt, the lines answer the prompts one by one, in order', async () => {
  const { baseUrl, asked } = await service(answer)
  const terminal = newHome().terminal(['login', '--base-url', baseUrl])
  await terminal.shows('Email: ')
  terminal.type('budi@example.com\rright "horse" €\r')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(asked[0]?.body).toEqual({ email: 'budi@example.com', password: 'right "horse" €' })
})

test('login reports a wrong password without printing the password, and stores no session', async () => {
  const { baseUrl } = await service(answer)
  const home = newHome()
  const { exitCode, stderr } = await home.gapura(
    ['login', '--email', 'budi@example.com', '--base-url', baseUrl],
    { input: 'wrong horse\n' },
  )
  expect(exitCode).toBe(4)
  expect(stderr).toMatch(/^gapura: .*is wrong; check .+\n$/)
  expect(stderr).not.toContain('horse')
  expect(() => home.profiles()).toThrow('ENOENT')
})

test('without a terminal, login reads the password from stdin and the email address from the option --email', async () => {
  const { baseUrl, asked } = await service(answer)
  const at = ['--base-url', baseUrl]
  const done = await newHome().gapura(['login', '--email', 'budi@example.com', '--json', ...at], {
    input: 'right "horse" €\n',
  })
  expect(done.exitCode).toBe(0)
  expect(JSON.parse(done.stdout)).toMatchObject({ base_url: baseUrl, account: { role: 'client' } })
  expect(done.stdout).not.toContain('access-1')
  expect(asked).toHaveLength(2)

  const nobody = await newHome().gapura(['login', ...at])
  expect(nobody.exitCode).toBe(2)
  expect(nobody.stderr).toContain('--email')
  const nothing = await newHome().gapura(['login', '--email', 'budi@example.com', ...at])
  expect(nothing.exitCode).toBe(2)
  expect(asked).toHaveLength(2)
})

const suspend = ['tenants', 'suspend', tenant.id]

test('Ctrl-C at a prompt ends the command with exit code 1, and the command changes nothing', async () => {
  const { home, asked } = await loggedIn()
  const terminal = home.terminal(suspend)
  await terminal.shows('Continue? [y/N] ')
  terminal.type('\x03')
  const { exitCode, screen } = await terminal.ended()
  expect(exitCode).toBe(1)
  expect(screen).toContain('nothing was changed')
  expect(asked).toHaveLength(0)
})

test.each([
  ['Ctrl-D', '\x04'],
  ['an empty answer', '\r'],
  ['the answer no', 'no\r'],
])(
  'if the user responds to a confirmation prompt with %s, the command changes nothing and exits with 1',
  async (_, input) => {
    const { home, asked } = await loggedIn()
    const { exitCode, stderr } = await home.gapura(suspend, { input, columns: 80 })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Continue? [y/N] ')
    expect(stderr).toContain('nothing was changed')
    expect(asked).toHaveLength(0)
  },
)

test('a destructive command runs only after the user answers yes', async () => {
  const { home, asked } = await loggedIn()
  const terminal = home.terminal(suspend)
  await terminal.shows('Continue? [y/N] ')
  expect(asked).toHaveLength(0)
  terminal.type('Y\r')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(asked.map(({ method, body }) => [method, body])).toEqual([['PATCH', { status: 'suspended' }]])
})

test.each([
  ['suspend a tenant', ['tenants', 'suspend', 't']],
  ['revoke a key', ['keys', 'revoke', 'k', '--tenant', 't']],
  ['rotate a key without a grace period', ['keys', 'rotate', 'k', '--tenant', 't']],
  ['reject a payment', ['payments', 'resolve', 'p', '--reject', '--reason', 'unknown']],
  [
    'credit a payment that its provider did not confirm',
    ['payments', 'resolve', 'p', '--accept', '--without-confirmation', '--reason', 'seen'],
  ],
  ['dismiss a refund', ['unexpected-money', 'dismiss', 'm', '--reason', 'ours']],
])(
  'without a terminal and without --yes, the command to %s sends nothing and exits with 2',
  async (_, args) => {
    const { home, asked } = await loggedIn()
    const refused = await home.gapura(args)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('--yes')
    expect(asked).toHaveLength(0)
    await home.gapura([...args, '--yes'])
    expect(asked).toHaveLength(1)
  },
)

test('gapura webhooks rotate-secret asks for confirmation only with --revoke-previous, which invalidates the old secret immediately', async () => {
  const endpoint = { callback_url: null, secret: 'whsec_new', previous_secret_expires_at: null }
  const { baseUrl, asked } = await service(() => ok(endpoint))
  const rotate = (...args: string[]) =>
    newHome().gapura(['webhooks', 'rotate-secret', ...args], {
      env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' },
    })
  const refused = await rotate('--revoke-previous')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('--yes')
  expect(asked).toHaveLength(0)
  expect((await rotate('--revoke-previous', '--yes')).stdout).toContain(
    'no longer signed with the old secret',
  )
  expect((await rotate()).exitCode).toBe(0)
  expect(asked.map(each => each.body)).toEqual([{ revoke_previous: true }, { revoke_previous: false }])
})

test('gapura providers add-account prompts for credentials by the provider’s names, and hides typed secrets', async () => {
  const { home, asked } = await loggedIn()
  const terminal = home.terminal(['providers', 'add-account', 'doku', '--mode', 'test', '--name', 'DOKU'])
  await terminal.shows('client_id: ')
  terminal.type('BRN-0001\r')
  await terminal.shows('secret: ')
  terminal.type('SK-hidden\r')
  await terminal.shows('note (optional): ')
  terminal.type('\r')
  const { exitCode, screen } = await terminal.ended()
  expect(exitCode).toBe(0)
  expect(screen).not.toMatch(/BRN|hidden/)
  expect(asked.at(-1)?.body.credentials).toEqual({ client_id: 'BRN-0001', secret: 'SK-hidden' })
})

test('gapura providers add-account rejects credentials on stdin that are not a JSON object, and does not print them', async () => {
  const { home, asked } = await loggedIn()
  const add = ['providers', 'add-account', 'doku', '--mode', 'test', '--name', 'DOKU']
  for (const input of ['{"secret":"SK-hidden"', '"SK-hidden"', '["SK-hidden"]']) {
    const { exitCode, stdout, stderr } = await home.gapura(add, { input })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).not.toContain('hidden')
  }
  expect(asked).toHaveLength(0)
  await home.gapura(add, { input: '{"secret":"SK-hidden"}' })
  expect(asked[0]?.body.credentials).toEqual({ secret: 'SK-hidden' })
})
