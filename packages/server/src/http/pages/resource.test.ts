import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { loadOnce, resource, textResource } from './resource.ts'

test('a static resource has the same content after decompression, whatever the compression format', async () => {
  const text = textResource('text/plain', 'Gapura '.repeat(500))
  const identity = await text.bytes('identity')
  expect(identity.toString()).toBe('Gapura '.repeat(500))
  expect(brotliDecompressSync(await text.bytes('br'))).toEqual(identity)
  expect(gunzipSync(await text.bytes('gzip'))).toEqual(identity)
  expect((await text.bytes('br')).length).toBeLessThan(100)
})

test('concurrent requests for a static resource read and compress it only once', async () => {
  const read = vi.fn(async () => Buffer.from('a'))
  const large = resource('text/plain', '1', read)
  expect(read).not.toHaveBeenCalled()
  await Promise.all([large.bytes('br'), large.bytes('br')])
  await large.bytes('br')
  expect(read).toHaveBeenCalledOnce()
})

test.each(['br', 'gzip', 'identity'] as const)(
  'all responses with the encoding %s share one buffer',
  async encoding => {
    const large = resource('text/plain', '1', async () => Buffer.from('a'))
    expect(await large.bytes(encoding)).toBe(await large.bytes(encoding))
  },
)

test('the version of a static file changes whenever the file’s content changes', () => {
  expect(textResource('text/plain', 'a').version).not.toBe(textResource('text/plain', 'b').version)
  expect(textResource('text/plain', 'a').version).toBe(textResource('text/plain', 'a').version)
})

test('if reading a static resource fails, the next request reads it again', async () => {
  const make = vi.fn().mockRejectedValueOnce(new Error('too many open files')).mockResolvedValue('a')
  const get = loadOnce<string>(make)
  await expect(get()).rejects.toThrow('too many open files')
  await expect(get()).resolves.toBe('a')
})
