// Links in the API document (OpenAPI 3.1, Link Object). A link states that an operation accepts an ID from another
// operation's response. If the response is a list, the link uses the ID of its first item. No link has a request body,
// because openapi-generator rejects such links.

type Link = { operationId: string; parameters: Record<string, string> }

const made = '$response.body#/data/'
const first = '$response.body#/data/items/0/'
const asked = '$request.path.'

const to = (parameters: Record<string, string>, ...operationIds: string[]): Link[] =>
  operationIds.map(operationId => ({ operationId, parameters }))

const ofPayment = [
  'getPayment',
  'listPaymentTimeline',
  'listPaymentAttempts',
  'listPaymentLedger',
  'listPaymentRefunds',
]

/**
 * Maps an operation's ID to its links. A link passes an ID from the operation's response to a parameter of the
 * linked operation.
 */
const linked: Record<string, Link[]> = {
  createPayment: to({ payment_id: `${made}id` }, ...ofPayment, 'cancelPayment'),
  listPayments: to({ payment_id: `${first}id` }, ...ofPayment, 'cancelPayment'),
  createRefund: to({ refund_id: `${made}id` }, 'getRefund'),
  listRefunds: to({ refund_id: `${first}id` }, 'getRefund', 'resolveRefund'),
  listChallengedPayments: to({ payment_id: `${first}payment_id` }, 'getPayment', 'resolvePayment'),
  listUnknownPayments: to(
    { payment_id: `${first}payment_id` },
    'inquireUnknownPayment',
    'resolveUnknownPayment',
  ),
  listUnexpectedMoney: to(
    { id: `${first}id` },
    'getUnexpectedMoney',
    'acceptUnexpectedMoney',
    'assignUnexpectedMoney',
    'refundUnexpectedMoney',
    'dismissUnexpectedMoney',
  ),
  listProviderCallbacks: to({ id: `${first}id` }, 'reprocessProviderCallback'),
  listRequests: to({ request_id: `${first}request_id` }, 'getRequest'),
  listWebhookDeliveries: to({ event_id: `${first}id` }, 'getWebhookDelivery', 'redeliverWebhook'),
  createWebhookEndpoint: to(
    { endpoint_id: `${made}id` },
    'getWebhookEndpoint',
    'updateWebhookEndpoint',
    'rotateWebhookEndpointSecret',
    'listWebhookEndpointDeliveries',
    'deleteWebhookEndpoint',
  ),
  listWebhookEndpointDeliveries: to(
    { endpoint_id: `${asked}endpoint_id`, event_id: `${first}id` },
    'getWebhookEndpointDelivery',
    'redeliverToWebhookEndpoint',
  ),
  createTenant: to(
    { tenant_id: `${made}id` },
    'getTenant',
    'updateTenant',
    'createUser',
    'createApiKey',
    'setEntitlements',
    'setRoutingRules',
    'updateTenantLimits',
  ),
  createApiKey: to(
    { tenant_id: `${asked}tenant_id`, key_id: `${made}id` },
    'updateApiKey',
    'rotateApiKey',
    'revokeApiKey',
  ),
  createUser: to(
    { tenant_id: `${asked}tenant_id`, user_id: `${made}id` },
    'updateUser',
    'removeUser',
    'resetSecondFactor',
  ),
  listSessions: to({ session_id: `${first}id` }, 'endSession'),
  createProviderAccount: to(
    { provider_code: `${asked}provider_code`, account_id: `${made}id` },
    'updateProviderAccount',
    'uploadSettlement',
    'listSettlements',
  ),
}

/**
 * Returns the operation's links by name, in the format of OpenAPI's response object, or undefined if the operation
 * has no links.
 */
export function linksOf(operationId: string): Record<string, Link> | undefined {
  const links = linked[operationId]
  return links && Object.fromEntries(links.map(link => [link.operationId, link]))
}
