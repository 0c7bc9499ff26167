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

// Re-exported so that the code of a provider needs to import only this file.
export type { Ask, Notification, Tampering }

// What the payer sees: lines of text, the content of a QR code, and a page to open.
export type PayerGuide = {
  lines: { label: string; value: string }[]
  qr?: string
  link?: { label: string; url: string }
  // The address to which the payer returns after the payment.
  returnUrl?: string
}

/** How a provider reports refunds and chargebacks. */
export type ReturnReports = {
  /** Returns the provider's identifier for a new return of this order. */
  newId: (order: Order, kind: ReturnKind) => string
  /**
   * Creates the notification of a return. Called when the return is created (pending) and when it is final. Returns
   * undefined if the protocol has no such message.
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

/** The protocol of one provider. The rest of the sandbox is the same for all providers. */
export type Provider = {
  code: string
  name: string
  // Mounted at `/<code>`.
  routes: (sandbox: Sandbox) => Router
  /**
   * Registers a merchant: returns the identifier in its requests and the values that the provider issues, such as a
   * callback token or public key. `refused` says which credential is invalid.
   */
  register: (
    sandbox: Sandbox,
    credentials: Record<string, string>,
  ) => { id: string; issued: Record<string, string> } | { refused: string }
  /**
   * Creates the notification to one address of the order; retries repeat the same bytes unless it `ages`. Returns
   * undefined if the protocol has no message for the status. May throw, for example if a token is refused: the attempt
   * then counts as a connection error, and the next attempt creates a new notification.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
  // If absent, the provider does not report returns; only a status inquiry shows them.
  returns?: ReturnReports
  // Returns the provider's identifier of the received money. If absent, it is the order's ID.
  receiptId?: (order: Order) => string
  // Returns the number of retries after this response; status 0 means a connection error.
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  // The current random failures; replaced as a whole when they are changed at run time.
  chaos: Chaos
  // Registered merchants by provider and ID.
  merchants: Merchants
  // Returns the provider's RSA key pair in PEM, created once and stored.
  keyPairOf: (provider: string) => KeyPair
  notifier: Notifier
  providers: readonly Provider[]
}
