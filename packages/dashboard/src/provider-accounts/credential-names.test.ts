import { expect, test } from 'vitest'
import { filled, isPem, isSecret, labelOf } from './credential-names.ts'

test("the provider account form converts the API's credential names to field labels", () => {
  const names = ['server_key', 'client_id', 'api_key', 'partner_service_id_bni', 'provider_public_key']
  expect(names.map(labelOf)).toEqual([
    'Server key',
    'Client ID',
    'API key',
    'Partner service ID BNI',
    'Provider public key',
  ])
})

test('the provider account form hides keys, secrets and tokens while the user types them', () => {
  expect(['server_key', 'client_secret', 'callback_token', 'key'].every(isSecret)).toBe(true)
  expect(['client_id', 'merchant_code', 'channel_id'].some(isSecret)).toBe(false)
})

test('the provider account form shows a private key as a multi-line field if it also has a public key', () => {
  expect(isPem('private_key', ['private_key', 'provider_public_key'])).toBe(true)
  expect(isPem('private_key', ['api_key', 'private_key'])).toBe(false)
})

test('the provider account form does not send credentials whose fields were left empty', () => {
  expect(filled({ server_key: 'a', extra: ' ' })).toEqual({ server_key: 'a' })
})
