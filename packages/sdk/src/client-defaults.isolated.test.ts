import { afterEach, expect, test, vi } from 'vitest'
import { ok, service } from '../test/service.ts'
import { Gapura } from './index.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

test('without options, the client uses GAPURA_API_KEY and GAPURA_BASE_URL', async () => {
  const { baseUrl, asked } = await service(ok({ balance: 1 }))
  vi.stubEnv('GAPURA_API_KEY', 'gp_test_environment')
  vi.stubEnv('GAPURA_BASE_URL', baseUrl)
  expect(await new Gapura().account.getBalance()).toEqual({ balance: 1 })
  await new Gapura({ apiKey: 'gp_test_option' }).account.getBalance()
  await new Gapura({ accessToken: 'token' }).account.getBalance()
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'ApiKey gp_test_environment',
    'ApiKey gp_test_option',
    'Bearer token',
  ])
})

test('the error for a missing credential or base URL names the option and its environment variable', () => {
  vi.stubEnv('GAPURA_API_KEY', '')
  vi.stubEnv('GAPURA_BASE_URL', '')
  expect(() => new Gapura({ baseUrl: 'http://127.0.0.1:1' })).toThrow(
    'apiKey: is required; pass apiKey or accessToken, or set GAPURA_API_KEY',
  )
  expect(() => new Gapura({ apiKey: 'gp_test_1' })).toThrow(
    'baseUrl: is required; pass it or set GAPURA_BASE_URL',
  )
})

test.each([
  ['no process', undefined],
  ['a process without an environment', {}],
  [
    'an environment that may not be read',
    {
      get env() {
        throw new Error('denied')
      },
    },
  ],
])(
  'on a platform with %s, an SDK client can be created and used if its options contain the API key and the base URL',
  async (_, process) => {
    const { baseUrl } = await service(ok({ balance: 1 }))
    vi.stubGlobal('process', process)
    const gapura = new Gapura({ apiKey: 'gp_test_1', baseUrl })
    const missing = () => new Gapura({ apiKey: 'gp_test_1' })
    expect(missing).toThrow('GAPURA_BASE_URL')
    const balance = await gapura.account.getBalance()
    vi.unstubAllGlobals()
    expect(balance).toEqual({ balance: 1 })
  },
)
