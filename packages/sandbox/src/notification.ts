export type Notification = {
  // The merchant's address. Some protocols append a path for each kind of message.
  url: string
  headers: Record<string, string>
  body: string
  // The provider's own name for the reported status; shown on the web page.
  says: string
  // True if the token or timestamp expires: each retry then creates a new notification instead of repeating the same
  // bytes.
  ages?: boolean
}

// Changes that a test can make to a notification. The signature stays valid except with badSignature.
export type Tampering = {
  badSignature?: boolean
  // Replaces IDR.
  currency?: string
  // Replaces the provider's name for the status, verbatim.
  status?: string
  // Adds undocumented fields.
  unknownFields?: boolean
}

/**
 * The fields that `unknownFields` adds. A receiver that rejects unknown fields, objects or nulls fails on one of them.
 */
export const undocumented = {
  sandbox_new_field: 'undocumented',
  sandbox_new_object: { nested: { list: [1, null, true] } },
  sandbox_new_null: null,
} as const

/**
 * Sends a request to the merchant's server, which some protocols require before a notification. Status 0 means that
 * the server could not be reached.
 */
export type Ask = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number; body: string }>
