export type Notification = {
  // The merchant's notification address, including the path that some protocols append for each kind of
  // message.
  url: string
  headers: Record<string, string>
  body: string
  // The status that the notification reports, under the name that the provider uses for it. The sandbox's web page
  // shows this status.
  says: string
  // True if the notification contains a token or timestamp that expires. Each retry then creates a new notification
  // instead of repeating the same bytes.
  ages?: boolean
}

// Changes that a test can make to a notification. The signature stays valid unless badSignature is set.
export type Tampering = {
  badSignature?: boolean
  // The currency in the notification, instead of IDR.
  currency?: string
  // The status in the notification, instead of the provider's name for the status.
  status?: string
  // If true, the notification also contains undocumented fields.
  unknownFields?: boolean
}

/**
 * The undocumented fields that the option `unknownFields` adds. One is an object and one is null, so a receiver that
 * rejects unknown fields of any of these types fails.
 */
export const undocumented = {
  sandbox_new_field: 'undocumented',
  sandbox_new_object: { nested: { list: [1, null, true] } },
  sandbox_new_null: null,
} as const

/**
 * Sends the request that some protocols require before a notification, such as a token request, to the merchant's
 * server. Status 0 means that the server could not be reached.
 */
export type Ask = (
  url: string,
  request: { headers: Record<string, string>; body: string },
) => Promise<{ status: number; body: string }>
