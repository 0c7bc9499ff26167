// A cookie that stores a device token (auth/log-in/device-token.ts) in a browser that has logged in. Because of this
// token, failed logins from other devices do not delay the browser's next login.

import type Koa from 'koa'
import type { DeviceCookie } from '../api/context.ts'
import { DEVICE_DAYS } from '../auth/log-in/device-token.ts'

export function deviceCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): DeviceCookie {
  // For an https URL, the cookie's name has the prefix `__Host-`, like the session cookie. session-cookie.ts explains
  // the reason.
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-gapura_device' : 'gapura_device'
  return {
    read: () => ctx.cookies.get(name),
    keep: token =>
      ctx.append(
        'Set-Cookie',
        `${name}=${token}; Path=/; Max-Age=${DEVICE_DAYS * 86_400}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
      ),
  }
}
