/**
 * Returns the WebAuthn relying party, which is the name and host under which browsers register passkeys for
 * this service. A passkey works only on the host where it was registered. If the host of the public URL
 * changes, users must register their passkeys again.
 */
export function relyingParty(publicUrl: string): { name: string; id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { name: 'Gapura', id: hostname, origin }
}
