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

// With them a provider's folder finds its whole contract in this file.
export type { Ask, Notification, Tampering }

// What a payer is shown: lines of text, a QR code's content, a page to open.
export type PayerGuide = {
  lines: { label: string; value: string }[]
  qr?: string
  link?: { label: string; url: string }
  // Where the merchant's app wants its payer back.
  returnUrl?: string
}

/** How a provider reports money that went back. */
export type ReturnReports = {
  /** The identifier that the provider gives a new return of this order. */
  newId: (order: Order, kind: ReturnKind) => string
  /**
   * What is sent of one return: asked when it begins (pending) and when it is final. Undefined where the protocol has
   * no such message.
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

/** One provider's protocol: everything else in the sandbox is the same for all of them. */
export type Provider = {
  code: string
  name: string
  // Mounted below `/<code>`.
  routes: (sandbox: Sandbox) => Router
  /**
   * What the dashboard does when a merchant signs up: which identifier its requests carry, and what the provider
   * issues (a callback token, its public key). `refused` names what is wrong with the credentials.
   */
  register: (
    sandbox: Sandbox,
    credentials: Record<string, string>,
  ) => { id: string; issued: Record<string, string> } | { refused: string }
  /**
   * What is sent to one address of the order, repeated byte for byte unless it ages. Undefined where the
   * protocol has no message for this status. Throws when it cannot be made, a token refused for example: that
   * counts as a try whose connection broke, and the next try makes it anew.
   */
  notification: (
    sandbox: Sandbox,
    order: Order,
    url: string,
    tampering: Tampering,
    ask: Ask,
  ) => Notification | undefined | Promise<Notification | undefined>
  // Absent: the provider sends nothing about returns; only an inquiry shows them.
  returns?: ReturnReports
  // What the provider calls the arrival of the money; absent, the order's own id.
  receiptId?: (order: Order) => string
  // How often a notification answered like this is sent again; status 0 stands for a connection error.
  retriesAfter: (status: number, body: string) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  // What goes wrong at random; replaced as a whole when it is switched at run time.
  chaos: Chaos
  // Merchants that registered, by provider and id.
  merchants: Merchants
  // The provider's own RSA key pair, made once and kept; PEM.
  keyPairOf: (provider: string) => KeyPair
  notifier: Notifier
  providers: readonly Provider[]
}
