// A cookie with a device token (auth/log-in/device-token.ts) for a browser that has logged in. It prevents failed
// logins from other devices from delaying this browser's next login.

import type Koa from 'koa'
import type { DeviceCookie } from '../api/context.ts'
import { DEVICE_DAYS } from '../auth/log-in/device-token.ts'

export function deviceCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): DeviceCookie {
  // The cookie's name has the prefix `__Host-`, like the session cookie's (see session-cookie.ts for the reason).
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
