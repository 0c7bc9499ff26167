import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { failure, ok, service } from '../test/service.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
const exampleOf = (method: string, path: string) => {
  const media = document.paths[path][method].responses[200].content['application/json']
  const { value } = Object.values<{ value: { data: object } }>(media.examples ?? {})[0] ?? {
    value: media.example,
  }
  return value.data
}
const [run] = exampleOf('get', '/v1/reconciliation-runs').items
const [difference] = exampleOf('get', '/v1/reconciliation-differences').items
const page = (...items: object[]) => ok({ items, next_cursor: null })

const gapura = (baseUrl: string, ...args: string[]) =>
  newHome().gapura(args, { env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' } })
const queryOf = (path: string, baseUrl: string) => Object.fromEntries(new URL(path, baseUrl).searchParams)

test('gapura reconciliation runs lists the daily runs, with the number of unchecked payments per provider', async () => {
  const not_checked = [{ provider: 'midtrans', provider_account_id: 'a', payments: 3, retried: true }]
  const { baseUrl, asked } = await service(() => page(run, { ...run, state: 'incomplete', not_checked }))
  const { stdout, exitCode } = await gapura(baseUrl, 'reconciliation', 'runs', '--mode', 'live')
  expect(exitCode).toBe(0)
  expect(queryOf(asked[0]?.path ?? '', baseUrl)).toEqual({ mode: 'live', limit: '20' })
  expect(stdout).toMatch(/^2026-11-20 +live +complete /m)
  expect(stdout).toMatch(/^2026-11-20 +live +incomplete .* 3 midtrans /m)
})

test('reconciliation differences lists the differences that match the requested filters', async () => {
  const { baseUrl, asked } = await service(() => page(difference))
  const filter = ['--status', 'closed', '--mode', 'test', '--payment', 'p']
  const { stdout } = await gapura(baseUrl, 'reconciliation', 'differences', ...filter)
  expect(queryOf(asked[0]?.path ?? '', baseUrl)).toEqual({
    status: 'closed',
    mode: 'test',
    payment_id: 'p',
    limit: '20',
  })
  expect(stdout).toContain(
    `${difference.id}  2026-11-20  missing_there  ${difference.reference}  paid Rp 100.000`,
  )
})

test('gapura reconciliation close closes a difference only if the user passes a reason', async () => {
  const closed = exampleOf('post', '/v1/reconciliation-differences/{id}/close')
  const { baseUrl, asked } = await service(() => ok(closed))
  const close = ['reconciliation', 'close', difference.id]
  expect((await gapura(baseUrl, ...close)).exitCode).not.toBe(0)
  expect(asked).toEqual([])
  const { stdout } = await gapura(baseUrl, ...close, '--reason', 'settled tomorrow')
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: `/v1/reconciliation-differences/${difference.id}/close`,
  })
  expect(stdout).toContain(`Difference for ${difference.reference} (missing_there) is closed`)
})

test('if a reconciliation difference is already closed, closing it again prints the service’s error', async () => {
  const { baseUrl } = await service(() =>
    failure(409, 'CONFLICT', 'this difference is already closed: settled tomorrow'),
  )
  const { stderr, exitCode } = await gapura(
    baseUrl,
    'reconciliation',
    'close',
    difference.id,
    '--reason',
    'again',
  )
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain('this difference is already closed: settled tomorrow')
})
