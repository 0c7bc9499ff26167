// The session of the current user. The access token is kept only in memory and is valid for minutes. The refresh
// token is in an HttpOnly cookie and renews the access token, also after a reload.

import type { Outputs } from '@gapura/server'
import { publicClient } from '../api/public-client.ts'

type Session = { token: string; userId: string; endsAtMs: number; sandboxUrl: string | null }

/** Tokens are renewed this long before they expire, so that none expires during a call. */
const SPARE_MS = 60_000

/** Windows of the same browser share one session. Messages carry the id of the user now logged in, or null. */
const windows = new BroadcastChannel('gapura-session')

let session: Session | undefined
let renewing: Promise<Session | undefined> | undefined
let whenLost = () => {}

/** ended: called when the session has ended. */
export const onSessionLost = (ended: () => void): void => {
  whenLost = ended
}

windows.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
  if (!session || session.userId === userId) return
  // Discard the token: any request before this window reloads then uses the new session.
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
  // Sent only after the session is closed: before that, a reloaded window would still find it.
  windows.postMessage(null)
}

/** Restores the session of an earlier visit; returns false if there is none. Throws if the service is unavailable. */
export async function resume(): Promise<boolean> {
  return (await current()) !== undefined
}

/** Throws if the session has ended. */
export async function accessToken(): Promise<string> {
  const held = await current()
  if (held) return held.token
  whenLost()
  throw new Error('logged out')
}

export const sandboxUrl = (): string | null => session?.sandboxUrl ?? null

/** Discards the access token after it was rejected. The next call renews it. */
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
    // Another user logged in in another window, so nothing shown or requested here belongs to the current user.
    window.location.reload()
    throw new Error('another user is logged in')
  }
  return keep(renewed)
}

/** Reads the user id from a JWT (RFC 7519) without verification, which is the server's task. */
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
