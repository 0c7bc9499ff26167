export type Answer = { status: number; code: string; body: unknown; headers?: Record<string, string> }

// Xendit's error codes and their HTTP statuses. Sources: docs.xendit.co (create and cancel payment request, rate
// limits) and recorded test-mode traffic (xendit_api, a Ruby client).
const refusals = {
  API_VALIDATION_ERROR: [400, 'There was an error with the format submitted to the server.'],
  INVALID_VALUE_ERROR: [400, 'Values in the payment request is not within expected range.'],
  BANK_NOT_SUPPORTED_ERROR: [400, 'That bank code is not currently supported'],
  MINIMUM_EXPECTED_AMOUNT_ERROR: [400, 'The minimum Expected Amount is not reached'],
  MAXIMUM_EXPECTED_AMOUNT_ERROR: [400, 'The maximum Expected Amount is exceeded'],
  INACTIVE_PAYMENT_REQUEST: [400, 'Payment request is already inactive.'],
  INELIGIBLE_TRANSACTION_STATUS: [
    400,
    'Feature is not allowed for the payment request because of its current status.',
  ],
  REFUND_AMOUNT_EXCEEDED: [400, 'The refund amount is more than what is left of the payment.'],
  INSUFFICIENT_BALANCE: [400, 'The balance is not enough for the refund.'],
  REFUND_IN_PROGRESS: [
    400,
    'Please wait for the pending refund request to be completed before initiating a new one.',
  ],
  PARTIAL_REFUND_COUNTS_EXCEEDED: [400, 'The payment allows no further partial refund.'],
  INVALID_API_KEY: [401, 'API key is not authorized for this API service'],
  ACCOUNT_ACCESS_BLOCKED: [403, 'The payment was denied access by the payment method provider.'],
  CHANNEL_NOT_ACTIVATED: [
    403,
    'Payment request failed because this specific payment channel has not been activated. Please activate the payment channel via your dashboard or our customer service.',
  ],
  REFUND_NOT_SUPPORTED: [403, 'The channel of the payment does not support refunds.'],
  PARTIAL_REFUND_NOT_SUPPORTED: [403, 'The channel of the payment does not support partial refunds.'],
  DATA_NOT_FOUND: [404, 'ID specified in request cannot be found.'],
  CALLBACK_VIRTUAL_ACCOUNT_NOT_FOUND_ERROR: [404, 'Callback virtual account not found'],
  DUPLICATE_ERROR: [409, 'Duplication is not allowed.'],
  RATE_LIMIT_EXCEEDED: [429, 'Rate limit exceeded.'],
  SERVER_ERROR: [
    500,
    'An unexpected error occurred, our team has been notified and will troubleshoot the issue.',
  ],
  CHANNEL_UNAVAILABLE: [
    503,
    'The payment channel requested is currently experiencing unexpected issues. The eWallet provider will be notified to resolve this issue.',
  ],
} as const

export type ErrorCode = keyof typeof refusals

export function refusal(code: ErrorCode, message: string = refusals[code][1]): Answer {
  return { status: refusals[code][0], code, body: { error_code: code, message } }
}

/**
 * Returns the rate limit error. The limit is 60 requests per minute in test mode. The error has the headers
 * documented by Xendit (docs.xendit.co rate-limits).
 */
export function rateLimited(): Answer {
  const headers = { 'rate-limit-limit': '60', 'rate-limit-remaining': '0', 'rate-limit-reset': '58.37' }
  return { ...refusal('RATE_LIMIT_EXCEEDED'), headers }
}

export type Issue = { path: string[]; message: string; type?: string }

/**
 * Creates a validation error. Recorded traffic contains two formats of `errors[]`. Errors about virtual accounts
 * and API keys list fields, as the Joi library does. Errors from newer products list paths.
 */
export function validationRefusal(shape: 'joi' | 'path', issues: Issue[]): Answer {
  if (shape === 'joi') {
    const errors = issues.map(({ path, message, type }) => ({
      field: path,
      location: 'body',
      messages: [message],
      types: [type ?? 'any.invalid'],
    }))
    return withErrors(refusal('API_VALIDATION_ERROR'), errors)
  }
  const count = issues.length === 1 ? '1 error' : `${issues.length} errors`
  const message = `Failed to validate the request, ${count} occurred.`
  const errors = issues.map(issue => ({ path: ['body', ...issue.path].join('.'), message: issue.message }))
  return withErrors(refusal('API_VALIDATION_ERROR', message), errors)
}

function withErrors(answer: Answer, errors: unknown[]): Answer {
  return { ...answer, body: { ...(answer.body as object), errors } }
}
