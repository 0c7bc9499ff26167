// The introduction of the API document, which newcomers read first.

export const title = 'Gapura API'

export const description = `One API for Indonesian payment methods: virtual accounts, QRIS, e-wallets and shop tills. Create a payment with \`POST /v1/payments/create\`, show the payer what is in \`method_data\`, and deliver when the webhook \`payment.paid\` arrives. Only \`method_type\` and \`method_detail\` differ between methods.

## Authentication

| credential | header | for |
| --- | --- | --- |
| API key | \`Authorization: ApiKey gp_test_…\` | the payment flow, from a server |
| access token | \`Authorization: Bearer <access_token>\` | management, by a user who logged in |

A \`gp_live_\` key sends payments to the providers' production and moves real money; a \`gp_test_\` key sends them to their sandboxes. The key decides, nothing else in the request does. A key sees the payments of its own mode only. Access tokens come from \`POST /v1/auth/login\`, live 15 minutes at most, since they end with their session, and are renewed with \`POST /v1/auth/refresh\`. Each operation says who may call it.

## Money

Amounts are integers in cents: 1 rupiah = 100 cents, so Rp100,000 is \`10000000\`. The only currency is \`IDR\`.

## Answers

Success is always status 200 with \`{ "success": true, "data": … }\`. A failure is \`{ "success": false, "error": { "code", "message" } }\`: decide by \`code\`, show \`message\` to a developer. Its form is \`<kind>: <detail>\`; a bad request names the field at fault, as in \`bad request: amount: must be greater than zero\`. Every answer carries \`X-Request-Id\`; send one of your own (1 to 128 of letters, digits and \`_.:-\`) and it is kept. Quote it when you ask for help. A path that does not exist is a 404, a method that a path does not take a 405 with \`Allow\`.

| repeat the request | when |
| --- | --- |
| after \`Retry-After\` seconds | it is there: 429, 503, and some 409 and 502 |
| after a pause that grows | no answer came, or a 500 |
| never unchanged | every other 4xx, and a 502 without \`Retry-After\` |

## Rates

Each API key may send 50, 200 or 2,000 requests a second, as its tenant's tier is \`starter\`, \`growth\` or \`enterprise\`, and twice as many at once after a pause, unless the operator has set other limits for the tier or the tenant. Every answer to a key says how it stands: \`RateLimit-Policy: "starter";q=100;w=2\`, \`RateLimit: "starter";r=37;t=2\` (draft-ietf-httpapi-ratelimit-headers-11). Beyond that it is a 429 \`RATE_LIMITED\` with \`Retry-After\`. Each process of the service counts for itself.

## Idempotency

\`POST /v1/payments/create\` needs \`X-Idempotency-Key\`: one for each order, for ever. The same key with an equal body answers with the same payment, as it stands now, and the header \`Idempotency-Replayed: true\`; with another body it is a 409 \`IDEMPOTENCY_CONFLICT\`. So repeat a create whose answer was lost with its key, and nobody is charged twice.

## Lists

Lists take \`limit\` (1 to 100; 20, or all of a few short lists, without it) and \`cursor\`, and answer \`{ "items": […], "next_cursor": … }\`, newest first unless they say otherwise. Send \`next_cursor\` as \`cursor\` for the next page; it is null on the last one.

## Versioning

The version is in the path, \`/v1\`, and nowhere else. Fields, values, event types and operations are added to it; nothing is taken away. So ignore fields that you do not know, and treat a value or an event type that you do not know as one that came later. Unknown fields of a request are ignored.`

export const apiKeyDescription =
  'For the payment flow: `Authorization: ApiKey <key>`. A `gp_live_` key moves real money, a `gp_test_` key none. A key is shown once, when it is made, and belongs on a server: whoever has it can create and see your payments.'

export const accessTokenDescription =
  'For management: `Authorization: Bearer <access_token>`, from `POST /v1/auth/login`. A JWT (RS256) of 15 minutes; the public keys are at `/.well-known/jwks.json`.'

/** In reading order; the operations follow the same order. */
export const tags = [
  { name: 'Payments', description: 'Create payments and follow them.' },
  {
    name: 'Webhooks',
    description:
      'Where events go, and how their delivery went. What is sent there is described under the webhooks of this document.',
  },
  {
    name: 'Account',
    description: "The caller's own tenant: who it is, its balance, its ledger and its API keys.",
  },
  { name: 'Authentication', description: 'Log-in for users: access tokens, refresh tokens, passwords.' },
  { name: 'Reports', description: 'Figures over payments, and whether books and providers agree.' },
  { name: 'Audit log', description: 'Who changed what, and when.' },
  {
    name: 'Tenants',
    description: 'Merchants (Clients) and the Partners above them, for Owner and Partner.',
  },
  {
    name: 'Limits',
    description: 'For the Owner: how much the tenants of a tier, or one tenant, may ask of the service.',
  },
  { name: 'API keys', description: 'Keys for the payment flow of a tenant.' },
  { name: 'Users', description: 'Who logs in for a tenant.' },
  {
    name: 'Routing',
    description: 'Which provider accounts a tenant may use, and which payment goes to which.',
  },
  {
    name: 'Providers',
    description:
      'For the Owner: the providers of this build, the accounts at them, how these fare and what they settled.',
  },
  {
    name: 'Exceptions',
    description:
      'For the Owner: challenged payments, money that arrived otherwise than was agreed, charges of unknown outcome, what providers sent, what the verification of the ledger found, and what the daily reconciliation found.',
  },
]
