// Validates and encrypts provider account credentials. Only a provider's adapter knows the type of its credentials.
// Responses, logs and the audit log never contain stored credentials.

import { z } from 'zod'
import { fault } from '../faults/fault.ts'
import type { AnyProvider } from '../providers/provider.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { furthest, ruleOf } from '../values/input-rules.ts'

/**
 * Returns a provider account's encryption context. Credentials encrypted in this context cannot be decrypted for
 * another account.
 */
export const credentialsContext = (accountId: string): string =>
  `credentials of provider account ${accountId}`

/**
 * Encrypts the credentials exactly as they were entered, because each read parses them again with the provider's
 * schema. Throws BAD_REQUEST if the credentials do not match the schema.
 */
export async function encryptCredentials(
  secrets: Secrets,
  provider: AnyProvider,
  accountId: string,
  given: Record<string, unknown>,
): Promise<string> {
  const parsed = provider.credentials.safeParse(given)
  if (!parsed.success) {
    const issue = furthest(parsed.error.issues[0] as z.core.$ZodIssue)
    const { id, params } = ruleOf(issue)
    throw fault(id, params, { field: ['credentials', ...issue.path].join('.') })
  }
  return secrets.encrypt(JSON.stringify(given), credentialsContext(accountId))
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; anyOf?: JsonSchema[] }

/**
 * Returns a JSON schema for a provider's credentials that contains only the field names and whether each field is
 * required.
 */
export function credentialsSchema({ credentials }: AnyProvider): {
  type: 'object'
  properties: Record<string, Record<string, never>>
  required: string[]
} {
  const schema = z.toJSONSchema(credentials, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  // A provider may accept several kinds of credentials. The schema contains the fields of all kinds, and requires only
  // the fields that every kind needs.
  const kinds = schema.anyOf ?? [schema]
  const names = [...new Set(kinds.flatMap(kind => Object.keys(kind.properties ?? {})))]
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, {}])),
    required: names.filter(name => kinds.every(kind => kind.required?.includes(name))),
  }
}
