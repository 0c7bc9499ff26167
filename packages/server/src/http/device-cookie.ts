// A cookie with a token (auth/device.ts) for a browser that has logged in: failed guesses from elsewhere then do not
// delay its next login.

import type Koa from 'koa'
import type { DeviceCookie } from '../api/context.ts'
import { DEVICE_DAYS } from '../auth/device.ts'

export function deviceCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): DeviceCookie {
  // Like the session cookie (session-cookie.ts).
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
