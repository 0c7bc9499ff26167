/** Without characters that are taken for each other when they are read out. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** More than 115 bits; bytes that would make some characters likelier are drawn again. */
export function randomPassword(): string {
  const bound = 256 - (256 % ALPHABET.length)
  let password = ''
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < bound && password.length < LENGTH) password += ALPHABET[byte % ALPHABET.length]
  }
  return password
}
