// Creates the errors for DOKU's own API. DOKU does not document their format and codes, so they have the fields
// `error.code` and `error.message`, which published integrations read.

export type DokuAnswer = { status: number; code: string; body: Record<string, unknown> }

const errors = {
  invalid_parameter: [400, 'invalid_request_error'],
  invalid_client_id: [401, 'authentication_error'],
  invalid_signature: [401, 'authentication_error'],
  channel_not_activated: [403, 'business_error'],
  data_not_found: [404, 'invalid_request_error'],
  invoice_number_already_used: [409, 'business_error'],
  transaction_rejected: [422, 'business_error'],
  too_many_requests: [429, 'api_error'],
  service_unavailable: [503, 'api_error'],
} as const satisfies Record<string, readonly [status: number, type: string]>

export function refusal(code: keyof typeof errors, message: string): DokuAnswer {
  const [status, type] = errors[code]
  return { status, code, body: { error: { code, message, type } } }
}
