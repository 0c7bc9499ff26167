// Creates responses for SNAP, the Indonesian standard for payment APIs. Every response code consists of the HTTP
// status, two digits for the service and two digits for the case.

export type SnapAnswer = { status: number; code: string; body: Record<string, unknown> }

export const services = {
  // The service code in refund responses. DOKU's refund samples contain 07, but the SNAP standard defines 58.
  refundDebitDoku: '07',
  token: '73',
  notifyVa: '25',
  statusVa: '26',
  createVa: '27',
  updateVa: '28',
  deleteVa: '31',
  generateQr: '47',
  queryQr: '51',
  payDebit: '54',
  statusDebit: '55',
  cancelDebit: '57',
  refundDebit: '58',
  cancelQr: '77',
  refundQr: '78',
} as const

export type Service = (typeof services)[keyof typeof services]

const cases = {
  badRequest: [400, '00', 'Bad Request'],
  fieldFormat: [400, '01', 'Invalid Field Format'],
  mandatoryField: [400, '02', 'Invalid Mandatory Field'],
  unauthorized: [401, '00', 'Unauthorized.'],
  invalidToken: [401, '01', 'Invalid Token (B2B)'],
  expired: [403, '00', 'Transaction Expired'],
  // The message that the SNAP standard defines for a service that is not activated for the merchant.
  notActivated: [403, '01', 'Feature Not Allowed. Payment channel is not activated'],
  amountLimit: [403, '02', 'Exceeds Transaction Amount Limit'],
  suspectedFraud: [403, '03', 'Suspected Fraud'],
  insufficientFunds: [403, '14', 'Insufficient Funds'],
  notPermitted: [403, '15', 'Transaction Not Permitted.'],
  invalidStatus: [404, '00', 'Invalid Transaction Status'],
  notFound: [404, '01', 'Transaction Not Found'],
  invalidMerchant: [404, '08', 'Invalid Merchant'],
  invalidAmount: [404, '13', 'Invalid Amount'],
  paidBill: [404, '14', 'Paid Bill'],
  expiredBill: [404, '19', 'Invalid Bill/Virtual Account'],
  sameExternalId: [409, '00', 'Conflict'],
  sameReference: [409, '01', 'Duplicate partnerReferenceNo'],
  sameRefund: [409, '01', 'Duplicate partnerRefundNo'],
  tooManyRequests: [429, '00', 'Too Many Requests'],
  unavailable: [503, '00', 'Service Unavailable'],
} as const satisfies Record<string, readonly [status: number, code: string, message: string]>

export function refusal(service: Service, reason: keyof typeof cases, detail = ''): SnapAnswer {
  const [status, code, message] = cases[reason]
  const responseCode = `${status}${service}${code}`
  return {
    status,
    code: responseCode,
    body: { responseCode, responseMessage: detail ? `${message} ${detail}` : message },
  }
}

export function success(service: Service, body: Record<string, unknown>): SnapAnswer {
  return answered(200, service, 'Successful', body)
}

/** Creates the response to an accepted request whose result is not yet known. */
export function accepted(service: Service, body: Record<string, unknown>): SnapAnswer {
  return answered(202, service, 'Request In Progress', body)
}

function answered(
  status: number,
  service: Service,
  responseMessage: string,
  body: Record<string, unknown>,
): SnapAnswer {
  const responseCode = `${status}${service}00`
  return { status, code: responseCode, body: { responseCode, responseMessage, ...body } }
}
