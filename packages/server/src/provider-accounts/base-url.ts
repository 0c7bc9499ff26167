// The URL of an account's provider, if it is not the provider's own host.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { httpUrl } from '../text.ts'

/**
 * An http or https URL without user, password, query or fragment, so that it is safe to show. Paths are
 * appended to it.
 */
export const baseUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(isPlainHttp, rule('url_not_plain'))
  .transform(text => new URL(text).href.replace(/\/+$/, ''))
  .meta({ ...httpUrl, example: 'https://api.sandbox.midtrans.com' })

function isPlainHttp(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && [username, password, search, hash].every(part => part === '')
}
