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

// Re-exported, so that a provider's code needs to import only this file.
export type { Ask, Notification, Tampering }

// What the payer sees: lines of text, the content of a QR code, and a link to a page.
export type PayerGuide = {
  lines: { label: string; value: string }[]
  qr?: string
  link?: { label: string; url: string }
  // The address to which the payer returns after the payment.
  returnUrl?: string
}

/** Describes how a provider reports refunds and chargebacks. */
export type ReturnReports = {
  /** Returns the provider's identifier for a new refund or chargeback of this order. */
  newId: (order: Order, kind: ReturnKind) => string
  /**
   * Creates the notification of a refund or chargeback. Called when the refund or chargeback is created, and
   * again when it is final. Returns undefined if the protocol has no message for this state.
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

/** The protocol of one provider. All other parts of the sandbox are the same for every provider. */
export type Provider = {
  code: string
  name: string
  // Returns the routes of the provider's protocol, which the sandbox serves below `/<code>`.
  routes: (sandbox: Sandbox) => Router
  /**
   * Registers a merchant. `id` identifies the merchant in requests. `issued` contains the provider's values,
   * such as a callback token or a public key. `refused` names an invalid credential.
   */
  register: (
    sandbox: Sandbox,
    credentials: Record<string, string>,
  ) => { id: string; issued: Record<string, string> } | { refused: string }
  /**
   * Creates the notification to one of the order's addresses. Returns undefined if the protocol has no
   * message for the status. Retries send the same bytes again unless `ages` is set. If this function throws,
   * for example without a token from the merchant, the next attempt calls it again.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
  // How the provider reports refunds and chargebacks. If it is absent, the provider sends no notifications of them.
  returns?: ReturnReports
  // Returns the provider's ID of the money received for this order. By default, this is the order's ID.
  receiptId?: (order: Order) => string
  // Returns the number of retries after this response to a notification. Status 0 means a connection error.
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  // The settings of the random failures. A change replaces the whole object.
  chaos: Chaos
  // The merchants that are registered at each provider.
  merchants: Merchants
  // Returns the provider's RSA key pair in PEM format. The pair is created once and then stored.
  keyPairOf: (provider: string) => KeyPair
  notifier: Notifier
  providers: readonly Provider[]
}
