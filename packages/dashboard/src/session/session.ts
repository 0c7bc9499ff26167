// Who is logged in here. The access token is held in memory alone, and lasts for minutes; the refresh token is in a cookie
// that no script can read, and renews it, after a reload too.

import type { Outputs } from '@gapura/server'
import { publicClient } from '../api/public-client.ts'

type Session = { token: string; userId: string; endsAtMs: number; sandboxUrl: string | null }

/** Renewed that long before it ends, so that no call carries one that ends on the way. */
const SPARE_MS = 60_000

/** Of the windows of this browser, which have one session together: who is logged in from now on, or null. */
const windows = new BroadcastChannel('gapura-session')

let session: Session | undefined
let renewing: Promise<Session | undefined> | undefined
let whenLost = () => {}

/** ended: called when nobody is logged in any more. */
export const onSessionLost = (ended: () => void): void => {
  whenLost = ended
}

windows.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
  if (!session || session.userId === userId) return
  // Should this window ask for anything before it is gone, it would find out who is logged in now.
  distrust()
  if (userId === null) whenLost()
  else window.location.reload()
}

export async function logIn(email: string, password: string): Promise<void> {
  const { userId } = keep(await publicClient.session.open.mutate({ email, password }))
  windows.postMessage(userId)
}

export async function logOut(): Promise<void> {
  session = undefined
  await publicClient.session.close.mutate()
  // Sooner, a window that is loaded again would find the session still there.
  windows.postMessage(null)
}

/** Of whoever logged in here before; false where nobody is. Throws where the service does not answer. */
export async function resume(): Promise<boolean> {
  return (await current()) !== undefined
}

/** Throws where nobody is logged in any more. */
export async function accessToken(): Promise<string> {
  const held = await current()
  if (held) return held.token
  whenLost()
  throw new Error('logged out')
}

export const sandboxUrl = (): string | null => session?.sandboxUrl ?? null

/** The next call asks for another token: this one was refused. */
export function distrust(): void {
  if (session) session.endsAtMs = 0
}

async function current(): Promise<Session | undefined> {
  if (session && session.endsAtMs - SPARE_MS > Date.now()) return session
  renewing ??= renew().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renew(): Promise<Session | undefined> {
  const before = session
  const renewed = await publicClient.session.renew.mutate()
  session = undefined
  if (!renewed) return undefined
  if (before && before.userId !== userOf(renewed.access_token)) {
    // Somebody else logged in in another window: nothing that is shown or asked for here is theirs.
    window.location.reload()
    throw new Error('another user is logged in')
  }
  return keep(renewed)
}

/** Of a JWT (RFC 7519), which is the server's to believe. */
function userOf(token: string): string {
  const [, claims = ''] = token.split('.')
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).user_id
}

function keep(opened: Outputs['session']['open']): Session {
  session = {
    token: opened.access_token,
    userId: userOf(opened.access_token),
    endsAtMs: Date.now() + opened.expires_in * 1_000,
    sandboxUrl: opened.sandbox_url,
  }
  return session
}
