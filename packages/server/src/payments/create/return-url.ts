// Decides where the payer goes after the provider's payment page: to the merchant's `return_url`, or to this
// service's status page.

import type { Mode } from '../../values/mode.ts'
import type { Payment } from '../payment.ts'
import { statusPageUrl } from '../status-page-url.ts'

/**
 * The longest return URL that every provider accepts. DOKU allows up to 255 characters in urlParam
 * (doku-nodejs-library). Xendit has the same limit (docs.xendit.co routing-payment-channels).
 */
export const MAX_RETURN_URL_CHARACTERS = 255

/**
 * The characters a return URL may contain. All other characters are rejected, because browsers percent-encode them,
 * and providers may decode them differently.
 */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/**
 * Returns what is wrong with a return URL, or undefined if the URL is valid in live mode or in test mode. Rules that
 * apply in only one mode cannot be checked here, because the input schema does not know the request's mode.
 */
export function returnUrlFault(text: string) {
  if (!VISIBLE_ASCII.test(text) || !URL.canParse(text)) return 'return_url_malformed'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !isLoopbackHttp(url)) return 'return_url_insecure'
  if (url.username || url.password) return 'url_with_credentials'
  return undefined
}

/**
 * Returns whether a payment in this mode may have this return URL. Live mode requires https. Test mode also allows
 * http URLs for the developer's own machine.
 */
export const isReturnUrlOfMode = (text: string, mode: Mode): boolean =>
  mode === 'test' || new URL(text).protocol === 'https:'

/**
 * Returns whether the URL is an http URL with a loopback address. `new URL()` has already normalized any IPv4
 * address to four decimal numbers.
 */
function isLoopbackHttp({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return protocol === 'http:' && isLoopback
}

export const returnUrlOf = (
  { returnUrl, paymentCode }: Pick<Payment, 'returnUrl' | 'paymentCode'>,
  publicUrl: string,
): string => returnUrl ?? statusPageUrl(paymentCode, publicUrl)
