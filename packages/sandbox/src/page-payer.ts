import { type Html, html } from './html.ts'
import type { Order, Status } from './order.ts'
import { frame } from './page-frame.ts'
import type { PayerGuide } from './provider.ts'
import { displayRupiah } from './rupiah.ts'

const results: Record<Exclude<Status, 'pending'>, string> = {
  paid: 'Paid. Thank you.',
  failed: 'The payment was declined.',
  expired: 'This payment has expired.',
  cancelled: 'This payment was cancelled.',
  challenged: 'The payment is being reviewed.',
}

/** Returns the page opened by a deeplink or redirect. In the sandbox, it replaces the wallet's app or payment page. */
export function payerPage(order: Order, providerName: string, guide: PayerGuide): string {
  const body = order.status === 'pending' ? question(order) : result(order.status, guide)
  return frame(
    `Pay ${displayRupiah(order.askedCents)}`,
    html`<div id="live" class="card payer"><p class="eyebrow">${providerName} · ${order.method.replaceAll('_', ' ')}</p>
<p class="total">${displayRupiah(order.askedCents)}</p><p class="reference">${order.reference}</p>
${body}<p class="hint">A simulation: no real money moves.</p></div>`,
    { bare: true, refreshSeconds: 10 },
  )
}

function question(order: Order): Html {
  return html`<form method="post" action="/pay/${order.id}" class="buttons">
<button type="submit" name="outcome" value="paid" class="primary">Pay</button>
<button type="submit" name="outcome" value="failed">Decline</button></form>`
}

function result(status: Exclude<Status, 'pending'>, guide: PayerGuide): Html {
  const back = guide.returnUrl !== undefined && isSafeLink(guide.returnUrl)
  return html`<p class="result ${status}">${results[status]}</p>
${back && html`<p><a class="button" href="${guide.returnUrl}">Back to the merchant</a></p>`}`
}

/**
 * Returns false for a URL that could run code in the sandbox's page. All other URL schemes are allowed, because a URL
 * may open the merchant's app.
 */
function isSafeLink(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  return scheme !== undefined && !['javascript', 'data', 'vbscript', 'blob', 'file'].includes(scheme)
}
