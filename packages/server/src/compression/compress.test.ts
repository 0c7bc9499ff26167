import { createHash, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compress, decompress, MAX_COMPRESSED_BYTES } from './compress.ts'
import { dictionaries, type MessageKind } from './dictionaries.ts'

const kinds: MessageKind[] = ['callback', 'webhook']
const kind = fc.constantFrom(...kinds)

test('the content of a compression dictionary never changes, so that stored messages can still be decompressed', () => {
  const checksums = [...dictionaries].map(([number, bytes]) => [
    number,
    createHash('sha256').update(bytes).digest('hex'),
  ])
  expect(checksums).toEqual([
    [1, '31242ec92af6d9ca16f2d088049cca9fb7a9e3064f64456cc544d12bd88385ab'],
    [2, 'cb965fba9ee1ffb6155f65352cc09f7e647e1d3b24fbe21352baffd65281aaa8'],
  ])
})

describe.each(kinds)('compressing a %s', of => {
  const text = fc.array(fc.constantFrom('{"order_id":"', '","amount":', '7', 'é', '\0'), { maxLength: 2_000 })
  const bytes = fc.oneof(
    text.map(parts => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 3_000 }).map(each => Buffer.from(each)),
    fc.nat(2 * MAX_COMPRESSED_BYTES).map(length => Buffer.alloc(length, 7)),
  )

  test('a compressed message is always shorter than the original, and its decompression returns the original bytes', () => {
    fc.assert(
      fc.property(bytes, message => {
        const compressed = compress(message, of)
        if (compressed === null) return
        expect(compressed.length).toBeLessThan(message.length)
        expect(decompress(compressed).equals(message)).toBe(true)
      }),
    )
  })

  test('a message of the maximum size is compressed, but a longer one is not', () => {
    const longest = Buffer.alloc(MAX_COMPRESSED_BYTES, 'x')
    expect(decompress(compress(longest, of) as Buffer).equals(longest)).toBe(true)
    expect(compress(Buffer.alloc(MAX_COMPRESSED_BYTES + 1, 'x'), of)).toBeNull()
  })

  test('a message that would not become shorter is not compressed', () => {
    expect(compress(Buffer.alloc(0), of)).toBeNull()
    expect(compress(randomBytes(1_000), of)).toBeNull()
  })
})

test("if a message's dictionary is unknown, decompression fails with an error that names the dictionary", () => {
  expect(() => decompress(Buffer.from([255, 1, 2]))).toThrow('no compression dictionary 255')
  expect(() => decompress(Buffer.alloc(0))).toThrow('no compression dictionary')
})

test('compressed bytes that would decompress to more than the maximum message size are rejected', () => {
  const dictionary = dictionaries.get(1) as Buffer
  const bomb = deflateRawSync(Buffer.alloc(MAX_COMPRESSED_BYTES + 1), { dictionary })
  expect(() => decompress(Buffer.concat([Buffer.of(1), bomb]))).toThrow()
})

test('a truncated compressed message is rejected', () => {
  fc.assert(
    fc.property(kind, fc.nat(60), (of, cut) => {
      const message = Buffer.from(
        JSON.stringify({ transaction_id: 'a1f0c6b2-7d0e-4c61', amount: cut }).repeat(3),
      )
      const compressed = compress(message, of) as Buffer
      const end = Math.min(1 + cut, compressed.length - 1)
      expect(() => decompress(compressed.subarray(0, end))).toThrow()
    }),
  )
})
