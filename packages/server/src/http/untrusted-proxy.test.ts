import type { IncomingMessage } from 'node:http'
import { expect, test, vi } from 'vitest'
import { clientAddress } from './client-address.ts'
import { warnOfUntrustedProxy } from './untrusted-proxy.ts'

const from = (forwardedFor?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: { 'x-forwarded-for': forwardedFor },
  }) as unknown as IncomingMessage

test('without a trusted proxy, X-Forwarded-For headers are ignored and cause a single warning', () => {
  const warn = vi.fn()
  const addressOf = warnOfUntrustedProxy(clientAddress([]), { warn })
  for (let n = 0; n < 100; n++) expect(addressOf(from(`198.51.100.${n}`))).toBe('10.0.0.1')
  expect(warn).toHaveBeenCalledOnce()
  expect(warn.mock.calls[0]?.[1]).toContain('GAPURA_TRUSTED_PROXIES')
})

test('a few different X-Forwarded-For values, or one value sent repeatedly, cause no warning about a missing trusted proxy', () => {
  const warn = vi.fn()
  const addressOf = warnOfUntrustedProxy(clientAddress([]), { warn })
  for (let n = 0; n < 100; n++) {
    addressOf(from())
    addressOf(from(`198.51.100.${n % 10}`))
  }
  expect(warn).not.toHaveBeenCalled()
})
