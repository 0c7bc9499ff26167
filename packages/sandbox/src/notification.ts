export type Notification = {
  // The merchant's notification address, including the path that some protocols append for each kind of
  // message.
  url: string
  headers: Record<string, string>
  body: string
  // The provider's name for the reported status, as shown on the sandbox's web page.
  says: string
  // True if the notification contains a token or timestamp that expires. Each retry then creates a new notification
  // instead of repeating the same bytes.
  ages?: boolean
}

// Changes a test can make to a notification. The signature stays valid unless badSignature is set.
export type Tampering = {
  badSignature?: boolean
  // The currency in the notification, instead of IDR.
  currency?: string
  // The status in the notification, instead of the real status.
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
 * Sends a request to the merchant's server before a notification, for example to get a token. Status 0 means
 * that the server could not be reached.
 */
export type Ask = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number; body: string }>
