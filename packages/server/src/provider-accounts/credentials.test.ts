import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyProvider } from '../providers/provider.ts'
import { deriveSecrets } from '../secrets/secrets.ts'
import { credentialsContext, credentialsSchema, encryptCredentials } from './credentials.ts'

const secrets = deriveSecrets(randomBytes(32))
const needing = (credentials: z.ZodType): AnyProvider => ({ credentials }) as unknown as AnyProvider

const keys = z.object({
  client_id: z.string(),
  secret: z.string().trim().meta({ example: 'never shown' }),
  note: z.string().default('x'),
})

test("a provider account's stored credentials can be decrypted only for that account", async () => {
  const given = { client_id: 'me', secret: ' s ' }
  const sealed = await encryptCredentials(secrets, needing(keys), 'account 1', given)
  expect(JSON.parse(await secrets.decrypt(sealed, credentialsContext('account 1')))).toEqual(given)
  await expect(secrets.decrypt(sealed, credentialsContext('account 2'))).rejects.toThrow()
})

test.each<[Record<string, unknown>, RegExp]>([
  [{ client_id: 'me' }, /^bad request: credentials\.secret: /],
  [{ client_id: { hidden: 'value' }, secret: 's' }, /^bad request: credentials\.client_id: (?!.*value)/],
])('the error for invalid credentials names the field, never its value: %o', async (given, message) => {
  await expect(encryptCredentials(secrets, needing(keys), 'account', given)).rejects.toThrow(message)
})

test('the documented credentials schema contains only the field names and which fields are required', () => {
  expect(credentialsSchema(needing(keys))).toEqual({
    type: 'object',
    properties: { client_id: {}, secret: {}, note: {} },
    required: ['client_id', 'secret'],
  })
})

test('if a provider accepts several kinds of credentials, the schema requires only the fields that all kinds require', () => {
  const either = z.union([
    z.object({ id: z.string(), key: z.string() }),
    z.object({ id: z.string(), pem: z.string().transform(text => text.length) }),
  ])
  expect(credentialsSchema(needing(either))).toEqual({
    type: 'object',
    properties: { id: {}, key: {}, pem: {} },
    required: ['id'],
  })
})
