import type Router from '@koa/router'
import type { Chaos } from './chaos.ts'
import type { KeyPair } from './key-pairs.ts'
import type { Merchants } from './merchants.ts'
import type { MoneyReturn, ReturnKind } from './money-return.ts'
import type { Ask, Notification, Tampering } from './notification.ts'
import type { Notifier } from './notify.ts'
import type { Order } from './order.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'

// Re-exported so that a provider's code needs to import only this file.
export type { Ask, Notification, Tampering }

// What the payer sees: lines of text, a QR code's contents, and a link to a page.
export type PayerGuide = {
  lines: { label: string; value: string }[]
  qr?: string
  link?: { label: string; url: string }
  // Where the payer returns after the payment.
  returnUrl?: string
}

/** Describes how a provider reports refunds and chargebacks. */
export type ReturnReports = {
  /** Returns the provider's ID for a new refund or chargeback of this order. */
  newId: (order: Order, kind: ReturnKind) => string
  /**
   * Creates a notification about a refund or chargeback. Called when the refund or chargeback is created, and again
   * when it is final. Returns undefined if the protocol has no message for this state.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    returned: MoneyReturn,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
}

/** Describes one provider's protocol. All other parts of the sandbox are the same for every provider. */
export type Provider = {
  code: string
  name: string
  // Returns the routes of the provider's protocol. The sandbox serves them under `/<code>`.
  routes: (sandbox: Sandbox) => Router
  /**
   * Registers a merchant. If a credential is invalid, returns only `refused`, the credential's name. Otherwise,
   * returns:
   * - `id`: identifies the merchant in its requests
   * - `issued`: the values that the provider gives the merchant, such as a callback token or a public key
   */
  register: (
    sandbox: Sandbox,
    credentials: Record<string, string>,
  ) => { id: string; issued: Record<string, string> } | { refused: string }
  /**
   * Creates the notification for one of the order's addresses, or returns undefined if the protocol has no message for
   * the status. Retries send the same bytes, unless the notification sets `ages`. If this function throws an error, for
   * example because the merchant issued no token, the next attempt calls the function again.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
  // How the provider reports refunds and chargebacks. If absent, the provider sends no notifications about them.
  returns?: ReturnReports
  // Returns the provider's ID for the money received for this order. By default, this is the order's ID.
  receiptId?: (order: Order) => string
  // Returns how many times the sandbox retries a notification after the merchant's response. The parameter
  // `status` is 0 if the connection failed.
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  // The settings for random failures. Any change to these settings replaces the whole object.
  chaos: Chaos
  // The merchants registered at each provider.
  merchants: Merchants
  // Returns the provider's RSA key pair in PEM format. The key pair is created once and then stored.
  keyPairOf: (provider: string) => KeyPair
  notifier: Notifier
  providers: readonly Provider[]
}
