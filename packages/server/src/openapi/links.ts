// Links of the API document (OpenAPI 3.1, Link Object): which operations accept an id from another operation's
// response. The links of a list take the id from its first item. No link has a request body, because openapi-generator
// rejects a document with one.

type Link = { operationId: string; parameters: Record<string, string> }

const made = '$response.body#/data/'
const first = '$response.body#/data/items/0/'
const asked = '$request.path.'

const to = (parameters: Record<string, string>, ...operationIds: string[]): Link[] =>
  operationIds.map(operationId => ({ operationId, parameters }))

const ofPayment = ['getPayment', 'listPaymentTimeline', 'listPaymentAttempts', 'listPaymentLedger']

/** Links by operation id; the response of that operation contains the id that the link passes on. */
const linked: Record<string, Link[]> = {
  createPayment: to({ payment_id: `${made}id` }, ...ofPayment, 'cancelPayment'),
  listPayments: to({ payment_id: `${first}id` }, ...ofPayment, 'cancelPayment'),
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
  createApiKey: to({ tenant_id: `${asked}tenant_id`, key_id: `${made}id` }, 'rotateApiKey', 'revokeApiKey'),
  createProviderAccount: to(
    { provider_code: `${asked}provider_code`, account_id: `${made}id` },
    'updateProviderAccount',
    'uploadSettlement',
    'listSettlements',
  ),
}

/**
 * Returns the operation's links by name, as OpenAPI's response object has them; undefined if the operation has none.
 */
export function linksOf(operationId: string): Record<string, Link> | undefined {
  const links = linked[operationId]
  return links && Object.fromEntries(links.map(link => [link.operationId, link]))
}
