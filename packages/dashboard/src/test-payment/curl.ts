// Formats the request that creates a payment as a curl command, as an example for a merchant's server.

/** Quotes text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const curlOf = (origin: string, order: object): string =>
  [
    `curl ${origin}/v1/payments/create`,
    `  -H 'Authorization: ApiKey YOUR_TEST_KEY'`,
    `  -H 'X-Idempotency-Key: order-1001'`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(order, undefined, 2))}`,
  ].join(' \\\n')
