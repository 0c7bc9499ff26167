import { expect, test } from 'vitest'
import { publicIpOf } from './public-ip.ts'

const unasked = () => Promise.reject(new Error('DNS was asked'))

test('an IP address in the public URL is used as the public IP address without a DNS query', async () => {
  expect(await publicIpOf('https://198.18.255.1', unasked)).toBeUndefined()
  expect(await publicIpOf('https://8.8.4.4:8443/pay', unasked)).toBe('8.8.4.4')
})

test("if the public URL's host has several addresses, its first public address is used", async () => {
  const resolve = async () => ['10.1.2.3', '8.8.4.4', '8.8.8.8']
  expect(await publicIpOf('https://pay.example.com', resolve)).toBe('8.8.4.4')
})

test.each(['http://127.0.0.1:8080', 'http://10.0.0.1', 'http://192.168.1.2', 'http://100.64.0.1'])(
  'the service has no public IP address if its URL is %s, because the IP address in the URL is not public',
  async url => {
    expect(await publicIpOf(url, unasked)).toBeUndefined()
  },
)

test.each([
  ['does not resolve', unasked],
  ['has no IPv4 address', async () => []],
])("if the host in the service's public URL %s, the service has no public IP address", async (_, resolve) => {
  expect(await publicIpOf('https://pay.example.com', resolve)).toBeUndefined()
})
