/**
 * Loads the WebAuthn library only when a user first uses a passkey. The library's 290 modules take 8 MB of memory, and
 * most processes never need them.
 */
export const webauthn = (): Promise<typeof import('@simplewebauthn/server')> =>
  import('@simplewebauthn/server')
