// The introduction to the API document, which new API users read first.

export const title = 'Gapura API'

export const description = `One API for Indonesian payment methods: virtual accounts, QRIS, e-wallets and over-the-counter payments at shops. Only \`method_type\` and \`method_detail\` differ between methods.

1. Create a payment with \`POST /v1/payments/create\`.
2. Show the payer the payment instructions in \`method_data\`.
3. Deliver the goods when you receive the webhook \`payment.paid\` and its \`amount_paid\` is at least \`amount\`.

## Authentication

| Credential | Header | Used for |
| --- | --- | --- |
| API key | \`Authorization: ApiKey gp_test_…\` | Creating and reading payments from a server |
| Access token | \`Authorization: Bearer <access_token>\` | Management by a logged-in user |

A live key (\`gp_live_…\`) sends payments to the providers' production systems and moves real money. A test key (\`gp_test_…\`) sends payments to the providers' sandboxes. Only the key selects the mode, and a key can access only the payments of its own mode.

\`POST /v1/auth/login\` returns an access token. The token is valid for up to 15 minutes and ends early if its session ends. Renew it with \`POST /v1/auth/refresh\`.

Every account is a tenant with one of three roles. The Owner operates the service. Partners manage Clients. Clients are merchants, whose payments the service processes. The description of each operation lists who can call it.

## Money and time

Amounts are integers in cents: 1 rupiah = 100 cents, so Rp100,000 is \`10000000\`. The only currency is \`IDR\`.

Times in responses are in ISO 8601 format, in UTC. Days are calendar days in Asia/Jakarta (UTC+7).

## Responses

A successful response always has status 200 and the body \`{ "success": true, "data": … }\`.

A failed request returns \`{ "success": false, "error": { "code", "message" } }\`. Use \`code\` in your program. \`message\` is written for developers and has the form \`<kind>: <detail>\`. For a bad request, it names the invalid field: \`bad request: amount: must be greater than zero\`. An unknown path returns 404. An unsupported method returns 405 with the header \`Allow\`.

Every response has the header \`X-Request-Id\`. You can send your own value: 1 to 128 letters, digits and \`_.:-\`. Include the value when you contact support.

| When to retry | Responses |
| --- | --- |
| After the number of seconds in \`Retry-After\` | Every response with this header: 429, 503, and some 409 and 502 |
| With exponential backoff | No response, 500, or a proxy's response without an error \`code\`, such as a 502 or 504 error page |
| Do not retry the same request | Every other 4xx, and 502 \`PROVIDER_ERROR\` without \`Retry-After\` |

## Rate limits

The rate limit of each API key depends on the tier of its tenant. After a pause, a key can send a burst of two seconds' worth of requests at once.

| Tier | Requests per second |
| --- | --- |
| \`starter\` | 50 |
| \`growth\` | 200 |
| \`enterprise\` | 2,000 |

The operator can set other limits for a tier or a tenant. Responses to an API key include the current limit: \`RateLimit-Policy: "starter";q=100;w=2\` and \`RateLimit: "starter";r=37;t=2\` (draft-ietf-httpapi-ratelimit-headers-11). A request above the limit returns 429 \`RATE_LIMITED\` with \`Retry-After\`. Each server process counts separately.

## Idempotency

\`POST /v1/payments/create\` requires the header \`X-Idempotency-Key\`. Use a unique key for each order, and never reuse it for another order. The same key with the same body returns the existing payment in its current state, with the header \`Idempotency-Replayed: true\`. The same key with a different body returns 409 \`IDEMPOTENCY_CONFLICT\`. If you receive no response, retry with the same key: the payer is not charged twice.

## Lists

Lists accept \`limit\` and \`cursor\` and return \`{ "items": […], "next_cursor": … }\`. \`limit\` is 1 to 100. The default is 20; a few short lists return all items by default. Items are sorted newest first unless the operation specifies another order. To get the next page, pass \`next_cursor\` as \`cursor\`. On the last page, \`next_cursor\` is null.

Long lists also accept \`order=oldest\`. Pass the same order with each cursor: a cursor that was issued with another order returns 400. If a list is sorted oldest first, items that are created while you read the list appear at its end. With \`count=true\`, the page has \`total\`: the number of items that match the filters, up to 10,000. If \`is_exact\` is false, counting stopped early, so there can be more.

## Versioning

The version is part of the path: \`/v1\`. New fields, values, event types and operations may be added to this version; existing ones are not removed. Ignore fields, values and event types that you do not know. Unknown fields in a request are ignored.`

export const apiKeyDescription =
  'For creating and reading payments: `Authorization: ApiKey <key>`. A `gp_live_` key moves real money; a `gp_test_` key does not. A key is shown only once, when it is created. Keep the key on your server: anyone who has the key can create and read your payments.'

export const accessTokenDescription =
  'For management: `Authorization: Bearer <access_token>`. `POST /v1/auth/login` returns the token, a JWT (RS256) that is valid for 15 minutes. The public keys are at `/.well-known/jwks.json`.'

/** The tags, in the order in which the document shows them. Operations are sorted by their tags. */
export const tags = [
  { name: 'Payments', description: 'Create, read, list and cancel payments.' },
  { name: 'Refunds', description: 'Refund paid payments, and list refunds and chargebacks.' },
  {
    name: 'Webhooks',
    description:
      'Set the URL that receives webhooks (the callback URL), manage additional webhook endpoints and inspect webhook deliveries. The webhooks section of this document describes the events.',
  },
  {
    name: 'Account',
    description: "The caller's own tenant: profile, balance, ledger, API keys and users.",
  },
  {
    name: 'Requests',
    description: 'The log of requests sent with your API keys. Bodies are not logged.',
  },
  { name: 'Authentication', description: 'User login, access tokens, refresh tokens and passwords.' },
  {
    name: 'Reports',
    description:
      "Payment reports, totals for all tenants' books (double-entry accounts), and reconciliation of payments with the ledger and the providers.",
  },
  { name: 'Audit log', description: 'A record of management changes: who changed what, and when.' },
  {
    name: 'Tenants',
    description: 'Merchants (Clients) and the Partners that manage them. For the Owner and Partners.',
  },
  {
    name: 'Support',
    description:
      "Read merchants' payments to answer their questions. The Owner can read every merchant's payments, and a Partner those of its Clients.",
  },
  {
    name: 'Limits',
    description: 'Request limits for a tier or for one tenant. For the Owner.',
  },
  {
    name: 'Fees',
    description:
      'What the operator charges a tenant for its payments, and what a Partner charges its Clients.',
  },
  { name: 'API keys', description: 'The API keys of a tenant.' },
  { name: 'Users', description: 'The users who can log in for a tenant.' },
  {
    name: 'Second factor',
    description: 'The second factor for logging in: an authenticator app, passkeys and recovery codes.',
  },
  {
    name: 'Routing',
    description:
      'The provider accounts that a tenant may use, and the rules that select one for each payment.',
  },
  {
    name: 'Providers',
    description: 'Supported providers, provider accounts, their health and their settlements. For the Owner.',
  },
  {
    name: 'Exceptions',
    description:
      'Items for the Owner to check or decide on: payments on hold for suspected fraud (challenged), money that no open payment expects, and charges with an unknown outcome. Other such items are provider callbacks, and the results of ledger verification and daily reconciliation.',
  },
]
