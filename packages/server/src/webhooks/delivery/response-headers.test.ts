import { expect, test } from 'vitest'
import { shownHeaders } from './response-headers.ts'

test('webhook response headers are stored under lowercase names, and repeated headers are joined', () => {
  expect(shownHeaders({ 'Content-Type': 'text/plain', via: ['a', 'b'] })).toEqual({
    'content-type': 'text/plain',
    via: 'a, b',
  })
})

test('cookies and connection headers in a webhook response are not stored', () => {
  const cookies = { 'set-cookie': ['session=secret'], 'Set-Cookie2': 'a=b' }
  expect(shownHeaders({ ...cookies, connection: 'keep-alive', server: 'nginx' })).toEqual({
    server: 'nginx',
  })
})

test('at most 1 KiB of webhook response headers is stored, with at most 256 characters per value', () => {
  const received = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]))
  const stored = Object.entries(shownHeaders(received))
  expect(stored.map(([, value]) => value.length)).toEqual([256, 256, 256])
  expect(stored.flat().join('').length).toBeLessThanOrEqual(1_024)
})

test('webhook response headers are stored without characters that PostgreSQL or JSON cannot represent', () => {
  const value = `a\0${'b'.repeat(253)}\u{1f600}`
  expect(shownHeaders({ 'x-a': value })).toEqual({ 'x-a': `a\ufffd${'b'.repeat(253)}\ufffd` })
})
