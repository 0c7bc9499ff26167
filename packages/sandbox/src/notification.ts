export type Notification = {
  // The merchant's address, or below it where the protocol has a path of its own for each kind of message.
  url: string
  headers: Record<string, string>
  body: string
  // The provider's own word for what it reports; shown on the page.
  says: string
  // Its token or time stamp does: each retry makes it anew instead of repeating it byte for byte.
  ages?: boolean
}

// What a test may have changed in a notification whose signature still holds (all but the first).
export type Tampering = {
  badSignature?: boolean
  // Instead of IDR.
  currency?: string
  // The provider's own word for the outcome, verbatim.
  status?: string
  // Fields that no document has.
  unknownFields?: boolean
}

/** What `unknownFields` adds: a reader that is strict about any shape of JSON stumbles over one of them. */
export const undocumented = {
  sandbox_new_field: 'undocumented',
  sandbox_new_object: { nested: { list: [1, null, true] } },
  sandbox_new_null: null,
} as const

/** Asks the merchant's server, as some protocols do before they notify. status 0: it could not be reached. */
export type Ask = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number; body: string }>
