/** The characters used in generated passwords, excluding characters that look alike, such as l and 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/**
 * Returns a password with more than 115 bits of entropy. Random bytes that would make some characters more likely than
 * others are discarded.
 */
export function randomPassword(): string {
  const bound = 256 - (256 % ALPHABET.length)
  let password = ''
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < bound && password.length < LENGTH) password += ALPHABET[byte % ALPHABET.length]
  }
  return password
}
