// A log-in leaves a device cookie, as in a browser. The next log-in sends it, so that wrong passwords from elsewhere do
// not delay it. It is no credential: it opens nothing without the password.

import type { Fetch } from '@gapura/sdk'

export type DeviceCookie = {
  fetch: Fetch
  /** As it is sent, `name=value`: the latest that the service set, or the one given. */
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
