/**
 * Converts an Indonesian mobile number in any common notation to E.164. Returns undefined if the text is not an
 * Indonesian mobile number.
 */
export function mobileNumberOf(phone: string): string | undefined {
  const [, subscriber] = /^(?:\+?62|0)(8\d{7,11})$/.exec(phone.replace(/[\s().-]/g, '')) ?? []
  return subscriber === undefined ? undefined : `+62${subscriber}`
}
