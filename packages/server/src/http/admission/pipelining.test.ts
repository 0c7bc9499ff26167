import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exchange } from '../../../test/support/raw-http.ts'
import { httpMetrics } from '../http-metrics.ts'
import { limitPipelining } from './pipelining.ts'

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(limitPipelining({ publicUrl: 'http://127.0.0.1' }, handle))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function refused(): Promise<number> {
  const { values } = await httpMetrics.refused.get()
  return values.find(({ labels }) => labels.why === 'pipelined')?.value ?? 0
}

const get = (id: number) => `GET /${id} HTTP/1.1\r\nHost: gapura\r\n\r\n`

test('on a connection with 32 unanswered pipelined requests, the next request gets 429', async () => {
  const waiting: ServerResponse[] = []
  const handled: (string | undefined)[] = []
  const url = await serve((request, response) => {
    handled.push(request.url)
    waiting.push(response)
  })
  // Other tests in this process may also cause rejected requests. The test therefore checks only by how much the number
  // of rejected requests increases.
  const before = await refused()
  const answered = exchange(url, Array.from({ length: 300 }, (_, n) => get(n)).join(''))
  await expect.poll(refused).toBe(before + 1)
  for (const response of waiting) response.end()
  const answers = await answered
  expect(answers.map(({ status }) => status)).toEqual([...Array(32).fill(200), 429])
  expect(JSON.parse(answers.at(-1)?.body ?? '').error.code).toBe('RATE_LIMITED')
  expect(answers.at(-1)?.headers).toMatchObject({ connection: 'close', 'retry-after': '1' })
  expect(handled).toEqual(Array.from({ length: 32 }, (_, n) => `/${n}`))
})
