import { describe, expect, test } from 'vitest'
import { callbackUrlFault, isPublicAddress } from './public-address.ts'

const reserved: [string, string[]][] = [
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']],
  [
    'private',
    ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ],
  [
    'link-local and the metadata services',
    ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0', 'fd00:ec2::254'],
  ],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['unique local', ['fc00::1', 'fdff:ffff::1']],
  ['site-local of old', ['fec0::1', 'feff::1']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1', 'ff0e::1']],
  ['reserved', ['192.0.0.1', '192.0.0.170', '240.0.0.1', '254.255.255.255', '5f00::1', '4000::1', '100::1']],
  ['benchmarking', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
  ['written as a number', ['2130706433', '0x7f000001', '017700000001', '3232235521', '2852039166']],
  [
    'written in octal or hexadecimal parts',
    ['0177.0.0.1', '0x7f.0.0.1', '0x7f.1', '127.1', '0xa9.0xfe.0xa9.0xfe', '0251.0376.0251.0376'],
  ],
  [
    'IPv4 within IPv6',
    [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:10.0.0.1',
      '::ffff:169.254.169.254',
      '::ffff:0:127.0.0.1',
      '::127.0.0.1',
      '::7f00:1',
    ],
  ],
  ['behind NAT64', ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1']],
  ['within 6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::1', '192.88.99.1']],
  ['within Teredo', ['2001:0:7f00:1::', '2001::1']],
  [
    'no address',
    ['', 'localhost', 'example.com', '256.1.1.1', '1.2.3.4.5', ':::', '127.0.0.1:80', '[::1]', '١٢٧.0.0.1'],
  ],
]

describe('an IP address that is not public is rejected as a callback address', () => {
  test.each(reserved)('a callback address is rejected as not public if it is %s: %j', (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })
})

test('a public IP address is accepted for a callback URL', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '169.253.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ]
  expect(addresses.filter(address => !isPublicAddress(address))).toEqual([])
})

describe("before the service stores a callback URL, it checks the URL's format, scheme, credentials and host", () => {
  test.each([
    'https://shop.example.com/hooks?x=1',
    'https://shop.example.com:8443/',
    'https://shop.example.com:22/',
    'https://shop.example.com./',
    'https://münchen.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('the callback URL %s is accepted', url => {
    expect(callbackUrlFault(url, false)).toBeUndefined()
  })

  test.each([
    ['shop.example.com', 'url_malformed'],
    ['', 'url_malformed'],
    ['http://shop.example.com/', 'url_not_https'],
    ['ftp://shop.example.com/', 'url_not_https'],
    ['javascript:alert(1)', 'url_not_https'],
    ['file:///etc/passwd', 'url_not_https'],
    ['https://user@shop.example.com/', 'url_with_credentials'],
    ['https://:secret@shop.example.com/', 'url_with_credentials'],
    ['https://127.0.0.1/', 'url_names_private_address'],
    ['https://2130706433/', 'url_names_private_address'],
    ['https://0x7f.1/', 'url_names_private_address'],
    ['https://0177.0.0.1/', 'url_names_private_address'],
    ['https://１２７.0.0.1/', 'url_names_private_address'],
    ['https://[::1]/', 'url_names_private_address'],
    ['https://[::ffff:169.254.169.254]/', 'url_names_private_address'],
    ['https://[::127.0.0.1]/', 'url_names_private_address'],
    ['https://localhost/', 'url_names_this_machine'],
    ['https://LOCALHOST./', 'url_names_this_machine'],
    ['https://a.localhost/', 'url_names_this_machine'],
    ['https://ｌｏｃａｌｈｏｓｔ/', 'url_names_this_machine'],
    ['https://127.0.0.1./', 'url_names_private_address'],
    ['https://①②⑦.⓪.⓪.①/', 'url_names_private_address'],
    ['https://127。0。0。1/', 'url_names_private_address'],
    ['https://[64:ff9b::7f00:1]/', 'url_names_private_address'],
    ['https://[2002:7f00:1::]/', 'url_names_private_address'],
    ['https://[2001:0:7f00:1::]/', 'url_names_private_address'],
    ['https://[fe80::1%25eth0]/', 'url_malformed'],
    ['https://[fe80::1%eth0]/', 'url_malformed'],
    ['https://127.0.0.1%00.example.com/', 'url_malformed'],
    ['https://shop.example.com:99999/', 'url_malformed'],
    ['https://shop.example.com@127.0.0.1/', 'url_with_credentials'],
    ['https:127.0.0.1', 'url_names_private_address'],
    ['https:\\\\127.0.0.1\\', 'url_names_private_address'],
  ])('the callback URL %j is rejected with the fault %s', (url, fault) => {
    expect(callbackUrlFault(url, false)).toBe(fault)
  })

  test('in development, a callback URL may use http and a private address, but all other rules apply', () => {
    expect(callbackUrlFault('http://127.0.0.1:3000/hooks', true)).toBeUndefined()
    expect(callbackUrlFault('ftp://127.0.0.1/', true)).toBe('url_not_https')
  })
})
