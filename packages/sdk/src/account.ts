// What a tenant asks and sets for itself.

import type { Call } from './call.ts'
import {
  type Account,
  type ApiKeyPage,
  type Balance,
  type GetBalanceData,
  getAccount,
  getBalance,
  getWebhook,
  getWebhookDelivery,
  type HeardEvents,
  type LedgerEntryPage,
  type ListenForWebhooksData,
  type ListLedgerData,
  type ListOwnApiKeysData,
  type ListWebhookDeliveriesData,
  listenForWebhooks,
  listLedger,
  listOwnApiKeys,
  listWebhookDeliveries,
  type RedeliverFailedWebhooksBody,
  redeliverFailedWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  sendTestWebhook,
  setWebhook,
  type WebhookDelivery,
  type WebhookDeliveryPage,
  type WebhookEndpoint,
} from './generated/index.ts'
import type { Loose, QueryOf } from './query.ts'

export const accountOf = (call: Call) => ({
  /**
   * The tenant and the user that the access token stands for.
   *
   * @example
   * const { name, role, user } = await gapura.account.get()
   */
  get: (): Promise<Account> => call.repeatable(options => getAccount(options)),

  /**
   * The balance in one mode, in cents: an API key's own, or for a user `live` unless it says otherwise.
   *
   * @example
   * const { balance } = await gapura.account.balance({ mode: 'test' })
   */
  balance: (query: QueryOf<GetBalanceData> = {}): Promise<Balance> =>
    call.repeatable(options => getBalance({ ...options, query })),

  /**
   * Every movement of that balance, the last one first, in pages.
   *
   * @example
   * const { items } = await gapura.account.ledger({ mode: 'live', limit: 100 })
   */
  ledger: (query: QueryOf<ListLedgerData> = {}): Promise<LedgerEntryPage> =>
    call.repeatable(options => listLedger({ ...options, query })),

  /**
   * The tenant's own API keys, those that no longer work among them.
   *
   * @example
   * const { items } = await gapura.account.apiKeys()
   */
  apiKeys: (query: QueryOf<ListOwnApiKeysData> = {}): Promise<ApiKeyPage> =>
    call.repeatable(options => listOwnApiKeys({ ...options, query })),
})

export const webhookEndpointOf = (call: Call) => ({
  /**
   * Where webhooks go, and the secret that verifies them.
   *
   * @example
   * const { callback_url, secret } = await gapura.webhooks.get()
   */
  get: (): Promise<WebhookEndpoint> => call.repeatable(options => getWebhook(options)),

  /**
   * Sets where webhooks go; `null` stops them.
   *
   * @example
   * await gapura.webhooks.setUrl('https://shop.example.com/hooks/gapura')
   */
  setUrl: (callbackUrl: string | null): Promise<WebhookEndpoint> =>
    call.once(options => setWebhook({ ...options, body: { callback_url: callbackUrl } })),

  /**
   * Makes a new secret. The one before it signs too for 24 hours.
   *
   * @example
   * const { secret } = await gapura.webhooks.rotateSecret()
   */
  rotateSecret: (): Promise<WebhookEndpoint> =>
    call.once(options => rotateWebhookSecret({ ...options, body: {} })),

  /**
   * Sends a `webhook.test` to the callback URL. `delivery` tells how it went.
   *
   * @example
   * const { id } = await gapura.webhooks.test()
   */
  test: (): Promise<WebhookDelivery> => call.once(options => sendTestWebhook({ ...options, body: {} })),

  /**
   * Waits for test-mode events, for a machine without a public address; each comes as it would be delivered.
   * Ask again with the `cursor` of the answer. Without one it begins now.
   *
   * @example
   * const { events, cursor } = await gapura.webhooks.listen({ wait_seconds: 20 })
   */
  listen: (query: QueryOf<ListenForWebhooksData> = {}): Promise<HeardEvents> =>
    call.repeatable(options => listenForWebhooks({ ...options, query })),

  /**
   * The tenant's webhooks, newest first, in pages.
   *
   * @example
   * const { items } = await gapura.webhooks.deliveries({ status: 'permanently_failed' })
   */
  deliveries: (query: QueryOf<ListWebhookDeliveriesData> = {}): Promise<WebhookDeliveryPage> =>
    call.repeatable(options => listWebhookDeliveries({ ...options, query })),

  /**
   * One webhook with every attempt to deliver it.
   *
   * @example
   * const { status, attempts } = await gapura.webhooks.delivery(eventId)
   */
  delivery: (eventId: string): Promise<WebhookDelivery> =>
    call.repeatable(options => getWebhookDelivery({ ...options, path: { event_id: eventId } })),

  /**
   * One more attempt, with the same event id.
   *
   * @example
   * await gapura.webhooks.redeliver(eventId)
   */
  redeliver: (eventId: string): Promise<WebhookDelivery> =>
    call.once(options => redeliverWebhook({ ...options, path: { event_id: eventId } })),

  /**
   * One more attempt of every event since a time that failed for good, or had nowhere to go.
   *
   * @example
   * const { redelivered } = await gapura.webhooks.redeliverFailed({ since: '2026-11-20T00:00:00Z' })
   */
  redeliverFailed: (body: Loose<RedeliverFailedWebhooksBody>): Promise<{ redelivered: number }> =>
    call.once(options => redeliverFailedWebhooks({ ...options, body })),
})
