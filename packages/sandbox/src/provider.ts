import type Router from '@koa/router'
import type { Notifier } from './notify.ts'
import type { Order } from './order.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store.ts'

export type Notification = {
  headers: Record<string, string>
  body: string
  // The provider's own word for what it reports; shown on the page.
  says: string
}

// What a payer is shown: lines of text, a QR code's content, a page to open.
export type PayerGuide = {
  lines: { label: string; value: string }[]
  qr?: string
  link?: { label: string; url: string }
  // Where the merchant's app wants its payer back.
  returnUrl?: string
}

/** One provider's protocol: everything else in the sandbox is the same for all of them. */
export type Provider = {
  code: string
  name: string
  // Mounted below `/<code>`.
  routes: (sandbox: Sandbox) => Router
  notification: (order: Order, options?: { badSignature?: boolean }) => Notification
  // How often a notification answered like this is sent again; 0 stands for a connection error.
  retriesAfter: (status: number) => number
  retryPausesMs: readonly number[]
  guide: (order: Order, publicUrl: string) => PayerGuide
}

export type Sandbox = {
  settings: Settings
  publicUrl: string
  store: Store
  notifier: Notifier
  providers: readonly Provider[]
}
