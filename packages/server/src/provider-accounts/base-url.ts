// A provider account's base URL, such as a sandbox URL. It replaces the provider's default host.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { httpUrl } from '../values/text.ts'

/**
 * The schema for a base URL, to which the service appends request paths. The URL is http or https and has no user,
 * password, query or fragment, so it is safe to show.
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
