import { expect, test } from 'vitest'
import { failure, ok, service } from '../test/service.ts'
import { Gapura } from './index.ts'

const of = { providerCode: 'midtrans', accountId: 'a/b', date: '2026-11-20' }
const lines = 'GP261120-7Q4M2ZK8XW,100000\n'.repeat(10_000)
const csv = new Blob(['reference,amount\n', lines, lines])
const text = await csv.text()

test('a settlement file is sent unchanged, and is sent again from the beginning after a temporary failure', async () => {
  const { baseUrl, asked } = await service(
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable'),
    ok({ lines: 1 }),
  )
  const { settlements } = new Gapura({ accessToken: 'token', baseUrl })
  const progress: number[] = []
  expect(await settlements.upload(of, csv, { onProgress: bytes => progress.push(bytes) })).toEqual({
    lines: 1,
  })
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill('PUT /v1/providers/midtrans/accounts/a%2Fb/settlements/2026-11-20'),
  )
  for (const { body, headers } of asked) {
    expect(body).toBe(text)
    expect(headers).toMatchObject({ 'content-type': 'text/csv', authorization: 'Bearer token' })
  }
  expect(progress.filter(bytes => bytes === text.length)).toHaveLength(2)
  expect(progress.length).toBeGreaterThan(2)
})

test('a settlement upload without a progress listener sends the header Content-Length', async () => {
  const { baseUrl, asked } = await service(ok({ lines: 1 }))
  await new Gapura({ accessToken: 'token', baseUrl }).settlements.upload(of, csv)
  expect(asked[0]?.headers['content-length']).toBe(String(text.length))
  expect(asked[0]?.body).toBe(text)
})

test("if a settlement file has an invalid line, the SDK throws the service's unchanged message", async () => {
  const message = 'bad request: line 3, column amount: must be above 0'
  const { baseUrl } = await service(failure(400, 'BAD_REQUEST', message))
  const upload = new Gapura({ accessToken: 'token', baseUrl }).settlements.upload(of, csv)
  await expect(upload).rejects.toMatchObject({ name: 'BadRequestError', message })
})
