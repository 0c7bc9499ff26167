// The same payment as a request of a merchant's server.

/** Text for a shell that takes it as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const curlOf = (origin: string, order: object): string =>
  [
    `curl ${origin}/v1/payments/create`,
    `  -H 'Authorization: ApiKey YOUR_TEST_KEY'`,
    `  -H 'X-Idempotency-Key: order-1001'`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(order, undefined, 2))}`,
  ].join(' \\\n')
