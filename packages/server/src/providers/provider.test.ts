import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpointOf, parseProviderJson } from './provider.ts'

test("a provider's JSON message with a byte order mark is parsed like a message without one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = JSON.stringify(value)
      expect(parseProviderJson(Buffer.from(`\ufeff${text}`))).toEqual(JSON.parse(text))
      expect(parseProviderJson(Buffer.from(text))).toEqual(JSON.parse(text))
    }),
  )
})

test("parsing a provider's message returns undefined if its JSON is invalid", () => {
  for (const text of ['', 'OK', '{"a":', '\ufeff\ufeff{}'])
    expect(parseProviderJson(Buffer.from(text))).toBeUndefined()
})

test.each([
  ['/v1/callbacks/snap/an-id/v1.0/qr/qr-mpm-notify', '/v1.0/qr/qr-mpm-notify'],
  ['/v1/callbacks/snap/an-id//v1.0/qr/qr-mpm-notify', '/v1.0/qr/qr-mpm-notify'],
  ['/gateway/v1/callbacks/snap/an-id/v1.0/debit/notify?a=/b', '/v1.0/debit/notify'],
  ['/v1/callbacks/snap/an-id', ''],
  ['/v1/callbacks/snap/an-id/', ''],
  ['/v1/callbacks/snap/an-id/?a', ''],
  ['/v1/callbacks/snap/other/v1.0/debit/notify', ''],
])("the callback path %s contains the endpoint %j after the account's callback address", (path, endpoint) => {
  expect(endpointOf({ id: 'an-id' }, path)).toBe(endpoint)
})
