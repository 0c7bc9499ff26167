// A cookie that stores device tokens (auth/log-in/device-token.ts) in a browser that has logged in. Because of these
// tokens, failed logins from other devices do not delay the browser's next login. Each user of the browser has a token.

import type Koa from 'koa'
import type { DeviceCookie } from '../api/context.ts'
import { DEVICE_DAYS, deviceIdIn } from '../auth/log-in/device-token.ts'

/** The maximum number of tokens in the cookie. A further token replaces the one that was stored first. */
const MAX_TOKENS = 5
/** A character that does not occur in device tokens. */
const SEPARATOR = '~'

export function deviceCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): DeviceCookie {
  // For an https URL, the cookie's name has the prefix `__Host-`, like the session cookie. session-cookie.ts explains
  // the reason.
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-gapura_device' : 'gapura_device'
  const read = () => (ctx.cookies.get(name) ?? '').split(SEPARATOR, MAX_TOKENS).filter(deviceIdIn)
  return {
    read,
    keep: token => {
      const others = read().filter(other => deviceIdIn(other) !== deviceIdIn(token))
      const tokens = [token, ...others].slice(0, MAX_TOKENS).join(SEPARATOR)
      ctx.append(
        'Set-Cookie',
        `${name}=${tokens}; Path=/; Max-Age=${DEVICE_DAYS * 86_400}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
      )
    },
  }
}
