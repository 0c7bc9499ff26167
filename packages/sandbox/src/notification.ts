export type Notification = {
  // The URL to which the notification is sent: the merchant's notification address and, in some protocols, a
  // path that depends on the kind of message.
  url: string
  headers: Record<string, string>
  body: string
  // The reported status, in the provider's own words. The sandbox's web page shows this text.
  says: string
  // True if the notification contains a token or timestamp that expires. Each retry then creates a new notification.
  // For all other notifications, each retry sends the same bytes again.
  ages?: boolean
}

// Changes a test can make to a notification. The signature stays valid unless badSignature is set.
export type Tampering = {
  badSignature?: boolean
  // The currency in the notification, if it should not be IDR.
  currency?: string
  // The status to put into the notification instead of the order's real status.
  status?: string
  // If true, the notification also contains undocumented fields.
  unknownFields?: boolean
}

/**
 * The undocumented fields added by the option `unknownFields`: a text, an object and null. A receiver must accept
 * all of them.
 */
export const undocumented = {
  sandbox_new_field: 'undocumented',
  sandbox_new_object: { nested: { list: [1, null, true] } },
  sandbox_new_null: null,
} as const

/**
 * Sends a request to the merchant's server before a notification, for example to get a token. In the result,
 * the `status` 0 means that the server could not be reached.
 */
export type Ask = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number; body: string }>
