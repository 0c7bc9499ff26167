import { expect, test } from 'vitest'
import { componentText, headerSignature, signatureOf } from './signature.ts'

const SECRET = 'SK-test-1k2j3h4g5f6d'

test("the sandbox's signature for DOKU's published example matches that of an independent implementation", () => {
  const component =
    'Client-Id:MCH-0001-10791114622547\nRequest-Id:cc682442-6c22-493e-8121-b9ef6b3fa728\nRequest-Timestamp:2020-08-11T08:45:42Z\nRequest-Target:/doku-virtual-account/v2/payment-code\nDigest:5WIYK2TJg6iiZ0d5v4IXSR0EkYEkYOezJIma3Ufli5s='
  expect(signatureOf(SECRET, component)).toBe('HMACSHA256=2G9QBIpPLDlMoAHSKZUEYTCQ5bba2GnT42Ep5wjUYj8=')
  const ours = componentText({
    clientId: 'MCH-0001-10791114622547',
    requestId: 'cc682442-6c22-493e-8121-b9ef6b3fa728',
    timestamp: '2020-08-11T08:45:42Z',
    target: '/doku-virtual-account/v2/payment-code',
    body: '',
  })
  expect(ours.replace(/Digest:.*/, '')).toBe(component.replace(/Digest:.*/, ''))
})

const notification = {
  clientId: 'MCH-0001-10791114622547',
  requestId: 'fdb69f47-96da-499d-acec-7cdc318ab2fe',
  timestamp: '2025-12-03T14:01:03Z',
  target: '/payments/notifications',
  body: '{"service":{"id":"VIRTUAL_ACCOUNT"},"acquirer":{"id":"BCA"},"channel":{"id":"VIRTUAL_ACCOUNT_BCA"},"order":{"invoice_number":"aj-inv-1764770400","amount":50000},"virtual_account_info":{"virtual_account_number":"1900800000208362"},"virtual_account_payment":{"date":"20251203210101","systrace_number":"116095","reference_number":"64775","channel_code":"","request_id":"048881","identifier":[{"name":"REQUEST_ID","value":"048881"},{"name":"REFERENCE","value":"64775"},{"name":"CHANNEL_TYPE","value":"6014"}]},"transaction":{"status":"SUCCESS","date":"2025-12-03T14:01:01Z","original_request_id":"d7721e1c-5dbe-4399-9d82-8b55918d88cb"},"additional_info":{"origin":{"source":"direct","system":"mid-jokul-checkout-system","product":"CHECKOUT","apiFormat":"JOKUL"},"account":{"id":"SAC-7327-1764507463535"}}}',
}

test("a recorded DOKU notification's signature is valid only for its exact bytes", () => {
  const expected = 'HMACSHA256=GyL1HrJbQaWhhCACfGj/0O4+YlZE77H/0LjEZIdZ6kk='
  expect(headerSignature(SECRET, notification)).toBe(expected)
  const indented = JSON.stringify(JSON.parse(notification.body), null, 2)
  expect(headerSignature(SECRET, { ...notification, body: indented })).not.toBe(expected)
})

test('the signed text of a DOKU request without a body has no digest line', () => {
  const { body: _, ...inquiry } = notification
  expect(componentText(inquiry).endsWith('\nRequest-Target:/payments/notifications')).toBe(true)
})
