import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readUpload } from './body.ts'

/** Reads an upload that arrives in chunks of four bytes. The maximum size of the upload is ten bytes. */
async function read(chunks: number, headers: Record<string, string> = {}): Promise<number> {
  const body = Readable.from(Array.from({ length: chunks }, () => Buffer.from('abcd')))
  const request = Object.assign(body, {
    headers: { 'content-type': 'text/csv', ...headers },
  }) as unknown as IncomingMessage
  let size = 0
  for await (const chunk of readUpload(request, { type: 'text/csv', maxBytes: 10 })) size += chunk.length
  return size
}

test('an upload without a Content-Length is rejected as soon as it exceeds the size limit', async () => {
  expect(await read(2)).toBe(8)
  await expect(read(3)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})

test('an upload whose Content-Length exceeds the size limit is rejected', async () => {
  await expect(read(1, { 'content-length': '11' })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
})
