/**
 * Returns the WebAuthn relying party: the name and host for which browsers register passkeys. If the public URL's
 * host changes, users must register new passkeys.
 */
export function relyingParty(publicUrl: string): { name: string; id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { name: 'Gapura', id: hostname, origin }
}
