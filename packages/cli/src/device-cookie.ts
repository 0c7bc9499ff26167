// Stores the device cookie that the service sets at login. With this cookie, failed logins from other devices do
// not delay the next login. The cookie is not a credential: without the password, it grants nothing.

import type { Fetch } from '@gapura/sdk'

export type DeviceCookie = {
  fetch: Fetch
  /**
   * Returns the device cookie to send, as `name=value`. This is the cookie that the service set last. If the
   * service has set none, it is the cookie passed at the start.
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
