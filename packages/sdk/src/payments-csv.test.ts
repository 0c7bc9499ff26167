import { expect, test } from 'vitest'
import { service } from '../test/service.ts'
import { ConnectionError, Gapura } from './index.ts'

const head = 'id,amount_cents\r\n'

async function read(answer: Parameters<typeof service>[0]) {
  const { baseUrl, asked } = await service(answer)
  const { payments } = new Gapura({ apiKey: 'gp_test_x', baseUrl, maxRetries: 0 })
  let text = ''
  const reading = (async () => {
    for await (const piece of payments.csv({ status: 'paid', from: '2026-11-01' })) text += piece
    return text
  })()
  return { asked, reading, soFar: () => text }
}

test("payments.csv sends its filters in the query and returns the service's CSV unchanged", async () => {
  const { asked, reading } = await read(response => {
    response.writeHead(200, { 'content-type': 'text/csv' }).end(`\ufeff${head}é,1\r\n`)
  })
  expect(await reading).toBe(`\ufeff${head}é,1\r\n`)
  expect(asked[0]).toMatchObject({ path: '/v1/payments?status=paid&from=2026-11-01' })
  expect(asked[0]?.headers.accept).toBe('text/csv')
})

test('a CSV export that ends midway throws a ConnectionError', async () => {
  const { reading, soFar } = await read(response => {
    response.writeHead(200, { 'content-type': 'text/csv' }).write(head, () => response.destroy())
  })
  await expect(reading).rejects.toBeInstanceOf(ConnectionError)
  expect([head, '']).toContain(soFar())
})
