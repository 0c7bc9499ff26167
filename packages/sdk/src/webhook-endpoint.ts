import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  getWebhook,
  listenForWebhooks,
  rotateWebhookSecret,
  sendTestWebhook,
  setWebhook,
} from './generated/operations.gen.ts'
import type {
  HeardEvents,
  ListenForWebhooksData,
  RotateWebhookSecretBody,
  WebhookDelivery,
  WebhookEndpoint,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * The tenant's webhook endpoint, with its callback URL and secret. To verify webhooks, use the `webhooks` export.
 */
export class WebhookEndpointResource extends Resource {
  /**
   * Returns the callback URL and the webhook secret.
   *
   * @example
   * const { callback_url, secret } = await gapura.webhookEndpoint.get()
   */
  get(options?: CallOptions): ApiPromise<WebhookEndpoint> {
    return this.call.repeatable(getWebhook, {}, options)
  }

  /**
   * Sets the callback URL. If the URL is `null`, no webhooks are delivered.
   *
   * @example
   * await gapura.webhookEndpoint.setUrl('https://shop.example.com/hooks/gapura')
   */
  setUrl(callbackUrl: string | null, options?: CallOptions): ApiPromise<WebhookEndpoint> {
    return this.call.once(setWebhook, { body: { callback_url: callbackUrl } }, options)
  }

  /**
   * Creates a new webhook secret. For the next 24 hours, deliveries are also signed with the replaced secret.
   * With `revoke_previous`, all previous secrets are revoked immediately. Throws `ConflictError` if too many
   * previous secrets are still in use.
   *
   * @example
   * const { secret } = await gapura.webhookEndpoint.rotateSecret()
   */
  rotateSecret(
    body: Loose<RotateWebhookSecretBody> = {},
    options?: CallOptions,
  ): ApiPromise<WebhookEndpoint> {
    return this.call.once(rotateWebhookSecret, { body }, options)
  }

  /**
   * Sends a `webhook.test` event to the callback URL. To see the result, pass the returned ID to
   * `webhookDeliveries.get`. Throws `ConflictError` if the tenant has no callback URL.
   *
   * @example
   * const { id } = await gapura.webhookEndpoint.sendTest()
   */
  sendTest(options?: CallOptions): ApiPromise<WebhookDelivery> {
    return this.call.once(sendTestWebhook, { body: {} }, options)
  }

  /**
   * Waits for test-mode events, so that you can develop without a public address. Each event has the headers and
   * body of a delivery. Pass the returned `cursor` to get later events. Without a cursor, the call returns only
   * events that occur from now on.
   *
   * @example
   * const { events, cursor } = await gapura.webhookEndpoint.listen({ wait_seconds: 20 })
   */
  listen(query: QueryOf<ListenForWebhooksData> = {}, options?: CallOptions): ApiPromise<HeardEvents> {
    return this.call.repeatable(listenForWebhooks, { query }, options)
  }
}
