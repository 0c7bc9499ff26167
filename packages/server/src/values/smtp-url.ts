/**
 * Returns whether an smtp: or smtps: URL can be used: it has a host, and the user and password are percent-encoded. With
 * an unencoded / or # in the password, the URL would end there. The mail library would then fail at the first email, and
 * its error would contain the whole URL.
 */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname, username, password, pathname, search, hash } = new URL(text)
  const isWhole = hostname !== '' && (pathname === '' || pathname === '/') && hash === ''
  return isWhole && !search.includes('@') && isEncoded(username) && isEncoded(password)
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
