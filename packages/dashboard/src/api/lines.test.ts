import { expect, test } from 'vitest'
import { linesIn } from './lines.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

test('a streamed response is read correctly even if a chunk ends in the middle of a line or character', async () => {
  const bytes = new TextEncoder().encode('{"name":"Kedai é ☕"}\n{"n":2}\n')
  for (let size = 1; size <= bytes.length; size += 1) {
    const read = await Array.fromAsync(linesIn(pieces(bytes, size)))
    expect(read.flat()).toEqual([{ name: 'Kedai é ☕' }, { n: 2 }])
  }
})

test('if several lines of a streamed response arrive in one chunk, they are returned together', async () => {
  const bytes = new TextEncoder().encode('{"n":1}\n{"n":2}\n{"n":3}\n')
  expect(await Array.fromAsync(linesIn(pieces(bytes, bytes.length)))).toEqual([
    [{ n: 1 }, { n: 2 }, { n: 3 }],
  ])
})
