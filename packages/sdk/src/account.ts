// Account and webhook settings of the caller's own tenant.

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
   * Returns the tenant and the user to whom the access token belongs.
   *
   * @example
   * const { name, role, user } = await gapura.account.get()
   */
  get: (options?: CallOptions): ApiPromise<Account> => call.repeatable(getAccount, {}, options),

  /**
   * Returns the balance in cents. An API key can read only the balance in its own mode; for a user, `mode` defaults to
   * `live`.
   *
   * @example
   * const { balance } = await gapura.account.balance({ mode: 'test' })
   */
  balance: (query: QueryOf<GetBalanceData> = {}, options?: CallOptions): ApiPromise<Balance> =>
    call.repeatable(getBalance, { query }, options),

  /**
   * Lists all ledger entries of the balance in one mode, newest first.
   *
   * @example
   * for await (const entry of gapura.account.ledger({ mode: 'live' })) console.log(entry.amount, entry.reason)
   */
  ledger: (query: QueryOf<ListLedgerData> = {}, options?: CallOptions): PagePromise<LedgerEntry> =>
    pagesOf(call, listLedger, { query }, options),

  /**
   * Returns the ledger seal: the hash of all entries of the balance up to the last signed statement, with the proof
   * that the statement includes that hash.
   *
   * @example
   * const { entries, hash, statement } = await gapura.account.seal({ mode: 'live' })
   */
  seal: (query: QueryOf<GetLedgerSealData> = {}, options?: CallOptions): ApiPromise<LedgerSeal> =>
    call.repeatable(getLedgerSeal, { query }, options),

  /**
   * Lists the tenant's API keys, including keys that are revoked or have expired.
   *
   * @example
   * const { items } = await gapura.account.apiKeys()
   */
  apiKeys: (query: QueryOf<ListOwnApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> =>
    pagesOf(call, listOwnApiKeys, { query }, options),

  /**
   * Lists the users who can log in for the tenant.
   *
   * @example
   * const { items } = await gapura.account.users()
   */
  users: (query: QueryOf<ListOwnUsersData> = {}, options?: CallOptions): PagePromise<User> =>
    pagesOf(call, listOwnUsers, { query }, options),

  /**
   * Changes the password of the user to whom the access token belongs. All other sessions of this user end.
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
   * Returns the callback URL and the secret that verifies webhooks.
   *
   * @example
   * const { callback_url, secret } = await gapura.webhooks.get()
   */
  get: (options?: CallOptions): ApiPromise<WebhookEndpoint> => call.repeatable(getWebhook, {}, options),

  /**
   * Sets the callback URL. If the URL is `null`, no webhooks are delivered.
   *
   * @example
   * await gapura.webhooks.setUrl('https://shop.example.com/hooks/gapura')
   */
  setUrl: (callbackUrl: string | null, options?: CallOptions): ApiPromise<WebhookEndpoint> =>
    call.once(setWebhook, { body: { callback_url: callbackUrl } }, options),

  /**
   * Creates a new webhook secret. For the next 24 hours, deliveries are also signed with the replaced secret; with
   * `revoke_previous`, all previous secrets are revoked immediately. Throws `ConflictError` if too many previous
   * secrets are still in use.
   *
   * @example
   * const { secret } = await gapura.webhooks.rotateSecret()
   */
  rotateSecret: (body: RotateWebhookSecretBody = {}, options?: CallOptions): ApiPromise<WebhookEndpoint> =>
    call.once(rotateWebhookSecret, { body }, options),

  /**
   * Sends a `webhook.test` event to the callback URL. Call `delivery` with the returned ID for its result. Throws
   * `ConflictError` if the tenant has no callback URL.
   *
   * @example
   * const { id } = await gapura.webhooks.test()
   */
  test: (options?: CallOptions): ApiPromise<WebhookDelivery> =>
    call.once(sendTestWebhook, { body: {} }, options),

  /**
   * Waits for test-mode events, for development on a machine without a public address. Each event has the headers and
   * body of a delivery. Pass the returned `cursor` to get the following events; without a cursor, listening starts
   * now.
   *
   * @example
   * const { events, cursor } = await gapura.webhooks.listen({ wait_seconds: 20 })
   */
  listen: (query: QueryOf<ListenForWebhooksData> = {}, options?: CallOptions): ApiPromise<HeardEvents> =>
    call.repeatable(listenForWebhooks, { query }, options),

  /**
   * Lists the tenant's webhook deliveries, newest first.
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
   * Returns one webhook delivery with the body that is sent and every delivery attempt.
   *
   * @example
   * const { status, body, attempts } = await gapura.webhooks.delivery(eventId)
   */
  delivery: (eventId: string, options?: CallOptions): ApiPromise<SentWebhookDelivery> =>
    call.repeatable(getWebhookDelivery, { path: { event_id: eventId } }, options),

  /**
   * Starts one more delivery attempt, with the same event ID. Throws `ConflictError` if a delivery is in progress or
   * the tenant has no callback URL.
   *
   * @example
   * await gapura.webhooks.redeliver(eventId)
   */
  redeliver: (eventId: string, options?: CallOptions): ApiPromise<WebhookDelivery> =>
    call.once(redeliverWebhook, { path: { event_id: eventId } }, options),

  /**
   * Starts one more delivery attempt for every event since the given time that failed permanently or had no callback
   * URL. Throws `ConflictError` if the tenant still has no callback URL.
   *
   * @example
   * const { redelivered } = await gapura.webhooks.redeliverFailed({ since: '2026-11-20T00:00:00Z' })
   */
  redeliverFailed: (
    body: Loose<RedeliverFailedWebhooksBody>,
    options?: CallOptions,
  ): ApiPromise<{ redelivered: number }> => call.once(redeliverFailedWebhooks, { body }, options),
})
