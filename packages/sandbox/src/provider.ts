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

// Describes what the payer sees: lines of text, the content of a QR code, and a page to open.
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
   * Creates the notification of a refund or chargeback. The sandbox calls this function when the refund or chargeback
   * is created (pending) and again when it is final. The result is undefined if the protocol has no message for this
   * state.
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
   * Registers a merchant. Returns the ID that identifies the merchant in requests, and the values that the
   * provider issues, such as a callback token or a public key. If a credential is invalid, `refused` names
   * it.
   */
  register: (
    sandbox: Sandbox,
    credentials: Record<string, string>,
  ) => { id: string; issued: Record<string, string> } | { refused: string }
  /**
   * Creates the notification to one of the order's addresses. Retries send the same bytes again unless `ages` is set.
   * Returns undefined if the protocol has no message for the status. May throw, for example if the merchant refuses
   * to issue a token. The attempt then counts as a connection error, and the next attempt creates a new notification.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
  // Defines how the provider reports refunds and chargebacks. If absent, only status inquiries show refunds and
  // chargebacks.
  returns?: ReturnReports
  // Returns the ID under which the provider reports the money that it received for this order. Without this
  // function, the ID of the order is used.
  receiptId?: (order: Order) => string
  // Returns how many times a notification that gets this response is retried. Status 0 means a connection error.
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  // The current random failures. A change at run time replaces the whole object.
  chaos: Chaos
  // The merchants that are registered at each provider.
  merchants: Merchants
  // Returns the provider's RSA key pair in PEM format. The pair is created once and then stored.
  keyPairOf: (provider: string) => KeyPair
  notifier: Notifier
  providers: readonly Provider[]
}
