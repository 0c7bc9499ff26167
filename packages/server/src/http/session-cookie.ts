// The cookie that contains the dashboard's refresh token. Scripts cannot read this cookie, and browsers send it only
// with requests from pages of this site (SameSite=Strict). It is accepted only by the procedures that renew and end the
// session (auth/log-in/session.router.ts).

import type Koa from 'koa'
import type { SessionCookie } from '../api/context.ts'
import { fault } from '../faults/fault.ts'

/** The cookie has the same lifetime as the refresh token (auth/log-in/session.ts). */
const MAX_AGE_SECONDS = 30 * 86_400

export function sessionCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): SessionCookie {
  // The prefix `__Host-` makes browsers accept the cookie only over https and not from a sibling subdomain (RFC
  // 6265bis, 4.1.3.2).
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-gapura_session' : 'gapura_session'
  const set = (value: string, seconds: number) =>
    ctx.append(
      'Set-Cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    )
  return {
    read() {
      // The browser sends SameSite=Strict cookies also with requests from sibling subdomains. The service
      // recognizes and rejects such requests by the header `Sec-Fetch-Site`, which scripts cannot set.
      if (!['', 'same-origin'].includes(ctx.get('sec-fetch-site'))) throw fault('session_of_another_site')
      return ctx.cookies.get(name)
    },
    keep: token => set(token, MAX_AGE_SECONDS),
    clear: () => set('', 0),
  }
}
