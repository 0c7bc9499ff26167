export type Notification = {
  // The merchant's address. Some protocols append a path to it for each kind of message.
  url: string
  headers: Record<string, string>
  body: string
  // The provider's own name for the reported status, which the web page shows.
  says: string
  // True if the notification's token or timestamp expires. Each retry then creates a new notification instead of
  // repeating the same bytes.
  ages?: boolean
}

// Changes that a test can make to a notification. The signature stays valid unless badSignature is set.
export type Tampering = {
  badSignature?: boolean
  // The currency that replaces IDR.
  currency?: string
  // The text that replaces the provider's name for the status, unchanged.
  status?: string
  // If true, undocumented fields are added.
  unknownFields?: boolean
}

/**
 * The undocumented fields that `unknownFields` adds. A receiver that rejects unknown fields, objects or nulls fails on
 * at least one of these fields.
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
