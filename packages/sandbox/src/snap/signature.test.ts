import { createHmac, createVerify } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keys } from '../../test/support/snap-merchant.ts'
import {
  forged,
  isTokenSignature,
  minified,
  notificationSignature,
  notificationText,
  tokenSignature,
  transactionSignature,
  transactionText,
} from './signature.ts'

// An example key pair that Midtrans publishes, in its documentation (docs.midtrans.com signature-generation)
// and in SNAP-BI-Signature-Demo.
const midtransDemoKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlWbtlh3eM+bW3n5AFj42
wddC4L7tQqbLiCFbTv8K67yng9iwK5mEn+UMXiRhvB2JVWFafCPPxFamsiVG3Mjn
eGjC0BYgmpmw4qXnAnyO3nCdCuPtmZ3ljhKvSTPdWZxrcLi1Xa9V/+Pzb8hrjb5i
wMn6SZFNeMmZYgFKiSeueo6TPln2PoTqXCzs1HtsM8eUVe8GAsjJe/3dYl992nyX
OpG21GgNu8o5T3WOptPg6GdDTWkTWUu483yRbVVy04Pz4L8DDZTDv+WcsAViDn1r
A/jB1Auj/UGKx2ovGcBH/a/hor5TbABbODU6cPTHT54K3sSZtvZNV4eFDB1f/4wd
fwIDAQAB
-----END PUBLIC KEY-----
`

test("Midtrans' published example of a token signature is valid only for its own client and time", () => {
  const signature =
    'iv5YorKVVFOFS59l0HChDvPe+HeoE/jY5CfVgCg5i16nj5/DVnKg49ilkv8PyeU7y38apHhgO+cUrvkfUs5BhDD69yLn7xp8hzN9RcR0UDy5+nCrQ3GGCVSzZJvlEXN+TB0j4Q6pMsjrq4+YRoyDa4mTlsjJTU9aGjLRFBYgY4MyMQ5x11JyLnoFwbS8TJ5e/q4mUozrp49VyHe7OQSFnJNwvMSFrDyAIxoOK0IZQIlY29PaDIFcWoR+RJAY42H2FryjJcPpNfeercbkj9jsBLV3wmEKiNoN6lgFFLk5QicDnAAQzL45s92EYeCqDNuTTJOydaJbUqEo1d/ZPVNBtQ=='
  expect(isTokenSignature(midtransDemoKey, 'G1234325-SNAP', '2023-07-31T07:10:00+07:00', signature)).toBe(
    true,
  )
  expect(isTokenSignature(midtransDemoKey, 'G1234326-SNAP', '2023-07-31T07:10:00+07:00', signature)).toBe(
    false,
  )
  expect(isTokenSignature(midtransDemoKey, 'G1234325-SNAP', '2023-07-31T07:10:01+07:00', signature)).toBe(
    false,
  )
})

test("Midtrans' published notification signature is valid for the text that the sandbox signs", () => {
  const body =
    '{"originalPartnerReferenceNo":"GP24043015193402809","originalReferenceNo":"A120240430081940S9vu8gSjaRID","merchantId":"G099333790","amount":{"value":"102800.00","currency":"IDR"},"latestTransactionStatus":"00","transactionStatusDesc":"SUCCESS","additionalInfo":{"refundHistory":[]}}'
  const signature =
    'RoJnP2tH/YiOhHM/lMVBMSAuzRmS8VrWdIy04Qqyb56daV7oWFMFoMMzqnjQ+q0MIUalYgU094GWQnCx2c29xb1kkqHhv2+iJ9xl6NjGmFGYqyvcKvUDAV83Y1Mw9JnsEcjcupdGw9/MRv/mm2GMrQ+BCZGfc4a46JDyPZbcY294vDGqs5rFBN6iYer5ro4cAQGo9hET2G82Y+j50vCyO/79GFE4vB1rvtu6PK2Bxi+vTYV8k7P7PS8tOPWM2O+kjiVWjwvLR99Botou+a8sxlQqZaihfWMKcByzV+Lgkr9cptpjys+1NIRWT1ad/sJBSLHyldzC3q2oRn5z5oZmyg=='
  const timestamp = '2024-05-02T14:43:08+07:00'
  const holds = (text: string) =>
    createVerify('sha256').update(text).verify(midtransDemoKey, signature, 'base64')
  const signed = { method: 'POST', path: '/v1.0/debit/notify', body, timestamp }
  expect(holds(notificationText(signed))).toBe(true)
  expect(holds(notificationText({ ...signed, body: body.replace('102800', '1028') }))).toBe(false)
})

test("Midtrans' published example signature is the HMAC of a text in the format that the sandbox signs", () => {
  // Midtrans publishes only the hash of the body. The test therefore replaces the hash in the sandbox's text
  // with the published hash.
  const published =
    'POST:/v1.0/debit/payment-host-to-host:gp9HjjEj813Y9JGoqwOeOPWbnt4CupvIJbU1Mmu4a11MNDZ7Sg5u9a:56fa5f4999ad8014de49d7898c1d1d53472569db8999de3c1b752a0dd181e98c:2020-01-01T00:00:00+07:00'
  const ours = transactionText('gp9HjjEj813Y9JGoqwOeOPWbnt4CupvIJbU1Mmu4a11MNDZ7Sg5u9a', {
    method: 'POST',
    path: '/v1.0/debit/payment-host-to-host',
    body: '',
    timestamp: '2020-01-01T00:00:00+07:00',
  })
  expect(ours.replace(/[0-9a-f]{64}/, published.split(':')[3] ?? '')).toBe(published)
  expect(createHmac('sha512', 'fdppqbF5wq7vVegyvsV1CROMv646nJ7A').update(published).digest('base64')).toBe(
    'FSlidRHe4ow9qppNifGVQNcdv67lBjgCiP0BHylh+IKXo4fs2rHaGsFNUY0N8t0rPlZs4iAHAOCDklnCccwuJw==',
  )
})

test("the sandbox's signature for DOKU's published notification matches that of an independent implementation", () => {
  const body =
    '{"partnerServiceId":"   77777","customerNo":"0000000000001","virtualAccountNo":"   777770000000000001","virtualAccountName":"Toru Yamashita","trxId":"23219829713","paymentRequestId":"12839218738127830","paidAmount":{"value":"11500.00","currency":"IDR"}}'
  const signed = { method: 'POST', path: '/v1/transfer-va/payment', timestamp: '2023-01-01T10:55:00+07:00' }
  const token = 'eyJhbGciOiJSUzI1NiJ9.test-token-issued-by-us.sig'
  const expected = 's0ZIAxX2JcZkHMC8hFMhzGCy13JxTR/94yfsaaDe0UqlbRcriIiLeVFnbMDSWzeLk4B4fitIUIGFDwnvwD7Mrg=='
  expect(transactionSignature('doku-client-secret-test', token, { ...signed, body })).toBe(expected)
  // Whitespace in the body does not matter, because the hash covers the minified body.
  const indented = JSON.stringify(JSON.parse(body), null, '\t')
  expect(transactionSignature('doku-client-secret-test', token, { ...signed, body: indented })).toBe(expected)
})

test('minifying a JSON body keeps the contents of its strings', () => {
  expect(minified('{ "a b" : " x \\" : y ",\n\t"n" : [1.50, 2e3 , null ] }')).toBe(
    '{"a b":" x \\" : y ","n":[1.50,2e3,null]}',
  )
})

test('minifying a JSON body removes all whitespace between its tokens', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '  '), (value, indent) => {
      expect(minified(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value))
    }),
  )
})

test('changing any single character invalidates the HMAC signature of a SNAP request', () => {
  const signed = { method: 'POST', path: '/v1.0/debit/status', body: '{"a":"b"}', timestamp: 't' }
  const parts = ['method', 'path', 'body', 'timestamp'] as const
  fc.assert(
    fc.property(fc.constantFrom(...parts), fc.nat(), (part, at) => {
      const text = signed[part]
      const index = at % text.length
      const changed = `${text.slice(0, index)}~${text.slice(index + 1)}`
      expect(transactionSignature('k', 'token', { ...signed, [part]: changed })).not.toBe(
        transactionSignature('k', 'token', signed),
      )
    }),
  )
})

test('the public key verifies the sandbox’s SNAP signatures and rejects its forged signatures', () => {
  const signed = { method: 'POST', path: '/v1.0/debit/notify', body: '{}', timestamp: 't' }
  const signature = notificationSignature(keys.privateKey, signed)
  const holds = (given: string) =>
    createVerify('sha256').update(notificationText(signed)).verify(keys.publicKey, given, 'base64')
  expect(holds(signature)).toBe(true)
  expect(holds(forged(signature))).toBe(false)
  expect(forged(signature)).toHaveLength(signature.length)
  expect(isTokenSignature(keys.publicKey, 'me', 't', tokenSignature(keys.privateKey, 'me', 't'))).toBe(true)
})

test.each(['A', 'a', 'B', 'b', '/', '9'])(
  'the forged form of a SNAP signature that starts with %s differs from the original even if upper and lower case are ignored',
  first => {
    const signature = `${first}GVsbG8=`
    expect(forged(signature).toLowerCase()).not.toBe(signature.toLowerCase())
  },
)
