// The current user's session. The access token is kept only in memory and expires after a few minutes. The page
// gets a new access token with the refresh token in an HttpOnly cookie, even after a reload.

import type { Outputs } from '@gapura/server'
import { publicClient } from '../api/public-client.ts'

type Session = { token: string; userId: string; endsAtMs: number; sandboxUrl: string | null }

/**
 * How many milliseconds before its expiry the access token is renewed, so that the token never expires during
 * a call.
 */
const SPARE_MS = 60_000

/**
 * The channel between the browser's windows, which share one session. A message contains the ID of the user who
 * logged in, or null after a logout.
 */
const windows = new BroadcastChannel('gapura-session')

let session: Session | undefined
let renewing: Promise<Session | undefined> | undefined
let whenLost = () => {}
/**
 * True while the user logs out in this window, and after the logout. The window then loads the login page, which restarts
 * the application.
 */
let isLeaving = false

/** Registers a function to call when the session has ended. */
export const onSessionLost = (ended: () => void): void => {
  whenLost = ended
}

windows.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
  if (!session || session.userId === userId) return
  // Discards the access token, because the session has changed in another window. Requests made before this
  // window reloads then use the new session.
  distrust()
  if (userId === null) whenLost()
  else window.location.reload()
}

export const logIn = (email: string, password: string): Promise<void> =>
  finishLogIn(publicClient.session.open.mutate({ email, password }))

/**
 * Completes a login: stores the session in this window and notifies all other browser windows. A window in
 * which another user was logged in then reloads with the new session.
 */
export async function finishLogIn(opening: Promise<Outputs['session']['open']>): Promise<void> {
  const { userId } = keep(await opening)
  windows.postMessage(userId)
}

/** Ends the session. If the service cannot be reached, throws an error, and the user stays logged in. */
export async function logOut(): Promise<void> {
  isLeaving = true
  try {
    await publicClient.session.close.mutate()
  } catch (error) {
    isLeaving = false
    throw error
  }
  session = undefined
  // The session is closed before the other windows are notified. Otherwise, a window that reloads after the
  // notification would still find the session.
  windows.postMessage(null)
}

/**
 * Restores the session from an earlier visit. Returns false if there is no session, and throws an error if the
 * service is unavailable.
 */
export async function resume(): Promise<boolean> {
  return (await current()) !== undefined
}

/** Returns the access token, renewing it first if it is about to expire. Throws an error if the session has ended. */
export async function accessToken(): Promise<string> {
  const held = await current()
  if (held) return held.token
  if (!isLeaving) whenLost()
  throw new Error('logged out')
}

export const sandboxUrl = (): string | null => session?.sandboxUrl ?? null

/** Discards an access token that the service rejected. The next call renews it. */
export function distrust(): void {
  if (session) session.endsAtMs = 0
}

async function current(): Promise<Session | undefined> {
  if (isLeaving) return undefined
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
    // Another user has logged in through another window. This window is reloaded, because it still shows the previous
    // user's data.
    window.location.reload()
    throw new Error('another user is logged in')
  }
  return keep(renewed)
}

/** Reads the user ID from a JWT (RFC 7519). The signature is not verified, because that is the server's task. */
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
