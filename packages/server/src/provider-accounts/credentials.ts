// A provider's credentials are of a shape that only its own folder knows. They come in, are sealed, and never
// go out again, neither in an answer nor in a log or the audit log.

import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import type { AnyProvider } from '../providers/provider.ts'
import type { Secrets } from '../secrets.ts'

/** The same account's credentials open nowhere else. */
export const credentialsPlace = (accountId: string): string => `credentials of provider account ${accountId}`

/** Kept as they were given, and read through the provider's schema each time. Throws BAD_REQUEST. */
export async function sealCredentials(
  secrets: Secrets,
  provider: AnyProvider,
  accountId: string,
  given: Record<string, unknown>,
): Promise<string> {
  const parsed = provider.credentials.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = ['credentials', ...(issue?.path ?? [])].join('.')
    throw new GatewayError('BAD_REQUEST', `${field}: ${issue?.message ?? 'are invalid'}`)
  }
  return secrets.seal(JSON.stringify(given), credentialsPlace(accountId))
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; anyOf?: JsonSchema[] }

/** The names of the fields and which of them are needed, as a JSON schema that says no more. */
export function credentialsSchema({ credentials }: AnyProvider): {
  type: 'object'
  properties: Record<string, Record<string, never>>
  required: string[]
} {
  const schema = z.toJSONSchema(credentials, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  // Of a provider with several kinds of credentials: the fields of all, and what each of them needs.
  const kinds = schema.anyOf ?? [schema]
  const names = [...new Set(kinds.flatMap(kind => Object.keys(kind.properties ?? {})))]
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, {}])),
    required: names.filter(name => kinds.every(kind => kind.required?.includes(name))),
  }
}
