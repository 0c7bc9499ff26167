import { hash } from 'node:crypto'

// The format of a server key. Every key in this format is a separate merchant, even if it was never registered.
const serverKeyForm = /^(?:SB-)?Mid-server-[\x21-\x39\x3b-\x7e]{1,200}$/

export function isServerKey(text: string): boolean {
  return serverKeyForm.test(text)
}

/** Reads the server key from `Basic base64(server_key + ":")`. Returns undefined if Midtrans would respond with 401. */
export function serverKeyOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1]
  if (!encoded) return undefined
  const [key = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  // After decoding, the header must contain the server key, a colon and an empty password.
  if (password.length !== 1 || password[0] !== '') return undefined
  return isServerKey(key) ? key : undefined
}

/** Derives a merchant ID such as `G812785002` from the server key. */
export function merchantIdOf(serverKey: string): string {
  const digits = BigInt(`0x${hash('sha256', serverKey).slice(0, 15)}`) % 1_000_000_000n
  return `G${digits.toString().padStart(9, '0')}`
}
