// What a tenant asks and sets for itself.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import {
  changePassword,
  getAccount,
  getBalance,
  getLedgerSeal,
  getWebhook,
  getWebhookDelivery,
  listenForWebhooks,
  listLedger,
  listOwnApiKeys,
  listOwnUsers,
  listWebhookDeliveries,
  redeliverFailedWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  sendTestWebhook,
  setWebhook,
} from './generated/operations.gen.ts'
import type {
  Account,
  ApiKey,
  Balance,
  GetBalanceData,
  GetLedgerSealData,
  HeardEvents,
  LedgerEntry,
  LedgerSeal,
  ListenForWebhooksData,
  ListLedgerData,
  ListOwnApiKeysData,
  ListOwnUsersData,
  ListWebhookDeliveriesData,
  RedeliverFailedWebhooksBody,
  RotateWebhookSecretBody,
  SentWebhookDelivery,
  User,
  WebhookDelivery,
  WebhookEndpoint,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'

export const accountOf = (call: Call) => ({
  /**
   * The tenant and the user that the access token stands for.
   *
   * @example
   * const { name, role, user } = await gapura.account.get()
   */
  get: (options?: CallOptions): ApiPromise<Account> => call.repeatable(getAccount, {}, options),

  /**
   * The balance in one mode, in cents: an API key's own, or for a user `live` unless it says otherwise.
   *
   * @example
   * const { balance } = await gapura.account.balance({ mode: 'test' })
   */
  balance: (query: QueryOf<GetBalanceData> = {}, options?: CallOptions): ApiPromise<Balance> =>
    call.repeatable(getBalance, { query }, options),

  /**
   * Every movement of that balance, the last one first.
   *
   * @example
   * for await (const entry of gapura.account.ledger({ mode: 'live' })) console.log(entry.amount, entry.reason)
   */
  ledger: (query: QueryOf<ListLedgerData> = {}, options?: CallOptions): PagePromise<LedgerEntry> =>
    pagesOf(call, listLedger, { query }, options),

  /**
   * The hash over every entry of it up to the last signed statement, and the proof that the statement holds it.
   *
   * @example
   * const { entries, hash, statement } = await gapura.account.seal({ mode: 'live' })
   */
  seal: (query: QueryOf<GetLedgerSealData> = {}, options?: CallOptions): ApiPromise<LedgerSeal> =>
    call.repeatable(getLedgerSeal, { query }, options),

  /**
   * The tenant's own API keys, those that no longer work among them.
   *
   * @example
   * const { items } = await gapura.account.apiKeys()
   */
  apiKeys: (query: QueryOf<ListOwnApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> =>
    pagesOf(call, listOwnApiKeys, { query }, options),

  /**
   * Who logs in for the tenant.
   *
   * @example
   * const { items } = await gapura.account.users()
   */
  users: (query: QueryOf<ListOwnUsersData> = {}, options?: CallOptions): PagePromise<User> =>
    pagesOf(call, listOwnUsers, { query }, options),

  /**
   * Sets the password of the user that the access token stands for, and ends every other session of that user.
   *
   * @example
   * await gapura.account.changePassword({ currentPassword, newPassword })
   */
  changePassword: (
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): ApiPromise<{ changed: true }> =>
    call.once(
      changePassword,
      { body: { current_password: currentPassword, new_password: newPassword } },
      options,
    ),
})

export const webhookEndpointOf = (call: Call) => ({
  /**
   * Where webhooks go, and the secret that verifies them.
   *
   * @example
   * const { callback_url, secret } = await gapura.webhooks.get()
   */
  get: (options?: CallOptions): ApiPromise<WebhookEndpoint> => call.repeatable(getWebhook, {}, options),

  /**
   * Sets where webhooks go; `null` stops them.
   *
   * @example
   * await gapura.webhooks.setUrl('https://shop.example.com/hooks/gapura')
   */
  setUrl: (callbackUrl: string | null, options?: CallOptions): ApiPromise<WebhookEndpoint> =>
    call.once(setWebhook, { body: { callback_url: callbackUrl } }, options),

  /**
   * Creates a new secret. The one that it replaces keeps signing for 24 hours; with `revoke_previous` every secret
   * before the new one stops at once.
   *
   * @example
   * const { secret } = await gapura.webhooks.rotateSecret()
   */
  rotateSecret: (body: RotateWebhookSecretBody = {}, options?: CallOptions): ApiPromise<WebhookEndpoint> =>
    call.once(rotateWebhookSecret, { body }, options),

  /**
   * Sends a `webhook.test` to the callback URL. `delivery` tells how it went.
   *
   * @example
   * const { id } = await gapura.webhooks.test()
   */
  test: (options?: CallOptions): ApiPromise<WebhookDelivery> =>
    call.once(sendTestWebhook, { body: {} }, options),

  /**
   * Waits for test-mode events, for a machine without a public address; each comes as it would be delivered.
   * Ask again with the `cursor` of the answer. Without one it begins now.
   *
   * @example
   * const { events, cursor } = await gapura.webhooks.listen({ wait_seconds: 20 })
   */
  listen: (query: QueryOf<ListenForWebhooksData> = {}, options?: CallOptions): ApiPromise<HeardEvents> =>
    call.repeatable(listenForWebhooks, { query }, options),

  /**
   * The tenant's webhooks, newest first.
   *
   * @example
   * for await (const { id } of gapura.webhooks.deliveries({ status: 'permanently_failed' }))
   *   await gapura.webhooks.redeliver(id)
   */
  deliveries: (
    query: QueryOf<ListWebhookDeliveriesData> = {},
    options?: CallOptions,
  ): PagePromise<WebhookDelivery> => pagesOf(call, listWebhookDeliveries, { query }, options),

  /**
   * One webhook with the body that is sent, and every attempt to deliver it.
   *
   * @example
   * const { status, body, attempts } = await gapura.webhooks.delivery(eventId)
   */
  delivery: (eventId: string, options?: CallOptions): ApiPromise<SentWebhookDelivery> =>
    call.repeatable(getWebhookDelivery, { path: { event_id: eventId } }, options),

  /**
   * One more attempt, with the same event id.
   *
   * @example
   * await gapura.webhooks.redeliver(eventId)
   */
  redeliver: (eventId: string, options?: CallOptions): ApiPromise<WebhookDelivery> =>
    call.once(redeliverWebhook, { path: { event_id: eventId } }, options),

  /**
   * One more attempt of every event since a time that failed for good, or had nowhere to go.
   *
   * @example
   * const { redelivered } = await gapura.webhooks.redeliverFailed({ since: '2026-11-20T00:00:00Z' })
   */
  redeliverFailed: (
    body: Loose<RedeliverFailedWebhooksBody>,
    options?: CallOptions,
  ): ApiPromise<{ redelivered: number }> => call.once(redeliverFailedWebhooks, { body }, options),
})
