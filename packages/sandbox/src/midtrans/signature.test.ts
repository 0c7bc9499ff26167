import { expect, test } from 'vitest'
import { serverKeyOf } from './merchant.ts'
import { signatureKey } from './signature.ts'

test("the sandbox computes the published signature for Midtrans' example", () => {
  expect(signatureKey('1111', '200', '100000.00', 'askvnoibnosifnboseofinbofinfgbiufglnbfg')).toBe(
    'edc076b21793ebe3e17926350f5b8ae67d902fe657b3d0aa31b932d5c127e2375d308a2bc94f3265ac2d80a1f181a79b997ac178a236fcff35af263fc4d4c231',
  )
})

test.each([
  [
    'settlement',
    'ORDER-sandbox-0001',
    '200',
    '150000.00',
    'd65b4adf15335095fe1bfafe24964d48009dcc2989393e13570b0c9852ea60df0040b1a9646b9c9ef9433317f77acc8e387c59998dc20f5bd93fff93d23672e4',
  ],
  [
    'pending',
    'ORDER-sandbox-0002',
    '201',
    '75000.00',
    'db70270f6c27da2b564d4fffd9df3eeae578a7afba22bf5e6071711c7914d7a3d22ccaa533e864cf53742ca73c9e63016b0cbc1f97ee253a77b24b7a410d876a',
  ],
])(
  'Midtrans’ published %s notification has the signature that the sandbox computes',
  (_, orderId, code, amount, expected) => {
    expect(signatureKey(orderId, code, amount, 'SB-Mid-server-test')).toBe(expected)
  },
)

test('the sandbox reads the server key from the example Authorization header that Midtrans publishes', () => {
  expect(serverKeyOf('Basic U0ItTWlkLXNlcnZlci10ZXN0Og==')).toBe('SB-Mid-server-test')
})

test.each([
  ['no header', undefined],
  ['another scheme', 'Bearer abc'],
  ['a client key', `Basic ${btoa('SB-Mid-client-abc:')}`],
  ['a key without its colon', `Basic ${btoa('SB-Mid-server-abc')}`],
  ['a password', `Basic ${btoa('SB-Mid-server-abc:secret')}`],
  ['an empty key', `Basic ${btoa('SB-Mid-server-:')}`],
  ['invalid base64', 'Basic %%%'],
])('no server key is read from an invalid Authorization header: %s', (_, header) => {
  expect(serverKeyOf(header)).toBeUndefined()
})
