// The dashboard's refresh token, where no script of a page can read it. The browser sends it along with calls of this
// site's own pages alone (SameSite=Strict), and only the procedures of auth/session.router.ts look at it: to a call it
// gives no right.

import type Koa from 'koa'
import type { SessionCookie } from '../api/context.ts'
import { GatewayError } from '../errors.ts'

/** As long as the refresh token itself (auth/session.ts). */
const MAX_AGE_SECONDS = 30 * 86_400

export function sessionCookie(ctx: Koa.Context, { publicUrl }: { publicUrl: string }): SessionCookie {
  // With the prefix a browser takes it over https alone, and from no neighbouring subdomain (RFC 6265bis, 4.1.3.2).
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? '__Host-gapura_session' : 'gapura_session'
  const set = (value: string, seconds: number) =>
    ctx.append(
      'Set-Cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    )
  return {
    read() {
      // Strict leaves neighbouring subdomains in; they are told by this header, which no script can set.
      if (!['', 'same-origin'].includes(ctx.get('sec-fetch-site')))
        throw new GatewayError('FORBIDDEN', 'a session is for pages of this service alone')
      return ctx.cookies.get(name)
    },
    keep: token => set(token, MAX_AGE_SECONDS),
    clear: () => set('', 0),
  }
}
