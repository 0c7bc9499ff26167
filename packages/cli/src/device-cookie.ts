// Stores the device cookie of a login, so that failed logins from other devices do not delay the next login. The cookie
// is no credential: without the password it grants nothing.

import type { Fetch } from '@gapura/sdk'

export type DeviceCookie = {
  fetch: Fetch
  /**
   * Returns the `name=value` pair to send: the last cookie that the service set, or else the cookie that was passed at
   * the start.
   */
  current(): string | undefined
}

const COOKIE = /^((?:__Host-)?gapura_device=[^;]+)/

export function deviceCookie(given: string | undefined): DeviceCookie {
  let current = given
  return {
    async fetch(url, init) {
      const headers = new Headers(init.headers)
      if (current !== undefined) headers.set('cookie', current)
      const response = await fetch(url, { ...init, headers })
      for (const cookie of response.headers.getSetCookie()) current = COOKIE.exec(cookie)?.[1] ?? current
      return response
    },
    current: () => current,
  }
}
