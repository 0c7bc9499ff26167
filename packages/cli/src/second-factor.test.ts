import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { failure, ok, service } from '../test/service.ts'

const account = {
  ...{ id: 't', name: 'Toko Budi', role: 'client', tier: 'growth', status: 'active' },
  user: { email: 'budi@example.com' },
}
const tokens = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 900 }

/** Starts a service whose users must log in with a second factor. */
const guarded = () =>
  service(({ path }) => {
    if (path === '/v1/account') return ok(account)
    if (path === '/v1/auth/login/otp') return ok(tokens)
    const { status, body } = failure(401, 'OTP_REQUIRED', 'second factor required: send the challenge')
    const { error } = body as { error: object }
    const shown = { challenge: 'gp_challenge_1', methods: ['totp'], expires_in: 300 }
    return { status, body: { success: false, error: { ...error, ...shown } } }
  })

test('a login with a second factor reads the code from the second line of stdin', async () => {
  const { baseUrl, asked } = await guarded()
  const args = ['login', '--email', 'budi@example.com', '--base-url', baseUrl]
  expect(await newHome().gapura(args, { input: 'correct horse\n123456\n' })).toMatchObject({ exitCode: 0 })
  expect(asked.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/auth/login', { email: 'budi@example.com', password: 'correct horse' }],
    ['/v1/auth/login/otp', { challenge: 'gp_challenge_1', code: '123456' }],
    ['/v1/account', undefined],
  ])
})

test('if a command requires a recently confirmed second factor, its error names the command that confirms it', async () => {
  const { baseUrl } = await service(() => failure(401, 'OTP_REQUIRED', 'second factor required: confirm'))
  const env = { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl }
  const { exitCode, stderr } = await newHome().gapura(['keys', 'list'], { env })
  expect(exitCode).toBe(4)
  expect(stderr).toContain('run gapura second-factor confirm, then repeat the command')
})

test('second-factor confirm-app reads the code from stdin, and the current password for a first factor', async () => {
  const { baseUrl, asked } = await service(() => ok({ recovery_codes: null }))
  const env = { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl }
  for (const input of ['123456\ncorrect horse\n', '123456\n', '123456'])
    expect(await newHome().gapura(['second-factor', 'confirm-app'], { env, input })).toMatchObject({
      exitCode: 0,
    })
  const only = { code: '123456' }
  expect(asked.map(({ body }) => body)).toEqual([{ ...only, current_password: 'correct horse' }, only, only])
})

test('gapura second-factor refund-limit shows or sets the amount above which a refund requires a second factor', async () => {
  const { baseUrl, asked } = await service(({ body }) =>
    ok({ ...account, second_factor_required: false, refund_proof_above: 100_000_000, ...(body as object) }),
  )
  const env = { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl }
  const limit = (...args: string[]) => newHome().gapura(['second-factor', 'refund-limit', ...args], { env })
  expect((await limit()).stderr).toContain('to refund more than Rp 1.000.000.')
  expect((await limit('500000')).stderr).toContain('to refund more than Rp 500.000.')
  expect(JSON.parse((await limit('0', '--json')).stdout)).toEqual({ refund_proof_above: 0 })
  expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/v1/account', undefined],
    ['PUT', '/v1/account/security', { refund_proof_above: 50_000_000 }],
    ['PUT', '/v1/account/security', { refund_proof_above: 0 }],
  ])
  expect(await limit('1.5')).toMatchObject({ exitCode: 2 })
})
