import { type Html, html } from './html.ts'
import { heldCents, type MoneyReturn, returnedCents } from './money-return.ts'
import type { Attempt } from './notification-log.ts'
import type { Order } from './order.ts'
import { frame, statusPill } from './page-frame.ts'
import type { PayerGuide } from './provider.ts'
import type { RequestEntry } from './request-log.ts'
import { decimalRupiah, displayRupiah } from './rupiah.ts'
import { wibTime } from './wib.ts'

export type OrderView = {
  order: Order
  providerName: string
  guide: PayerGuide
  attempts: Attempt[]
  nextRetryAt: number | null
  requests: RequestEntry[]
}

export function orderPage(view: OrderView): string {
  const { order } = view
  return frame(
    `${order.reference} · Provider sandbox`,
    html`<p class="back"><a href="/">All payments</a></p>
<div id="live">${summary(view)}
<div class="columns">${payerCard(view)}${factsCard(view)}</div>
</div>
${controls(order)}
<div id="live-log">${attemptsCard(view)}${requestsCard(view)}</div>`,
  )
}

function summary({ order, providerName }: OrderView): Html {
  const other = order.recordedCents !== order.askedCents
  return html`<div class="heading"><div><p class="eyebrow">${providerName} · ${order.method.replaceAll('_', ' ')}</p>
<h1 class="reference">${order.reference}</h1></div>
<div class="sum"><strong>${displayRupiah(order.recordedCents)}</strong>${statusPill(order.status)}
${other && html`<span class="asked">of ${displayRupiah(order.askedCents)} requested</span>`}
${returnedCents(order) > 0 && html`<span class="asked">${displayRupiah(returnedCents(order))} returned</span>`}</div></div>`
}

function payerCard({ order, guide }: OrderView): Html {
  return html`<section class="card"><h2>What the payer sees</h2>
<p class="payline"><span>To pay</span><b>${displayRupiah(order.askedCents)}</b></p>
${guide.lines.map(line => html`<p class="payline"><span>${line.label}</span><b class="digits">${line.value}</b></p>`)}
${guide.qr !== undefined && html`<p class="qr"><img src="/orders/${order.id}/qr.png" width="240" height="240" alt="QR code of this payment"></p>`}
${guide.link && html`<p class="payline"><span>${guide.link.label}</span><a href="/pay/${order.id}">Open the payer’s page</a></p><p class="url">${guide.link.url}</p>`}
</section>`
}

function factsCard({ order }: OrderView): Html {
  const facts: [string, string | null][] = [
    ['Customer', order.customer || null],
    ['Created', `${wibTime(order.createdAt)} WIB`],
    ['Expires', order.expiresAt === null ? null : `${wibTime(order.expiresAt)} WIB`],
    ['Settled', order.settledAt === null ? null : `${wibTime(order.settledAt)} WIB`],
    ...order.returns.map(returnFact),
    ['Transaction', order.id],
    ['Merchant', masked(order.merchant)],
    ['Notification address', order.notificationUrls.join(', ') || 'none (no notification address)'],
  ]
  return html`<section class="card"><h2>Record</h2><dl>${facts
    .map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
    .filter(fact => fact !== false)}</dl></section>`
}

function returnFact({ kind, amountCents, status, createdAt }: MoneyReturn): [string, string] {
  const amount = displayRupiah(amountCents)
  return [
    kind === 'refund' ? 'Refund' : 'Chargeback',
    `${amount}, ${status}, since ${wibTime(createdAt)} WIB`,
  ]
}

/** Masks a merchant's key. Its prefix stays visible so that users can tell the keys apart. */
function masked(key: string): string {
  const prefix = /^.*[-_]/.exec(key.slice(0, key.length / 2))?.[0] ?? ''
  return `${prefix}…${key.slice(-2)}`
}

function controls(order: Order): Html {
  const button = (outcome: string, label: string, look = '') =>
    html`<button type="submit" name="outcome" value="${outcome}" class="${look}">${label}</button>`
  return html`<section class="card controls"><h2>Simulate an outcome</h2>
<form method="post" action="/orders/${order.id}/simulate" class="buttons">
${button('paid', 'Pay', 'primary')}${button('failed', 'Fail')}${button('expired', 'Expire')}${button('cancelled', 'Cancel')}${button('challenged', 'Challenge')}
</form>
<form method="post" action="/orders/${order.id}/simulate" class="another">
<label>Pay another amount<span class="field"><span>Rp</span><input name="amount" inputmode="decimal" required pattern="[0-9]{1,13}([.,][0-9]{1,2})?" placeholder="${decimalRupiah(order.askedCents).replace(/\.00$/, '')}" title="Rupiah, with up to two decimals" autocomplete="off"></span></label>
${button('paid', 'Pay this amount')}
</form>
<p class="hint">Each button records the outcome and sends the provider’s own notification. Once an order is paid, only <b>Fail</b> reverses the payment.</p>
${heldCents(order) > 0 && returnControls(order, button)}
</section>`
}

function returnControls(order: Order, button: (outcome: string, label: string) => Html): Html {
  const held = decimalRupiah(heldCents(order)).replace(/\.00$/, '')
  return html`<form method="post" action="/orders/${order.id}/simulate" class="buttons">
${button('refunded', 'Refund all')}${button('chargeback', 'Charge back')}
</form>
<form method="post" action="/orders/${order.id}/simulate" class="another">
<label>Refund a part<span class="field"><span>Rp</span><input name="amount" inputmode="decimal" required pattern="[0-9]{1,13}([.,][0-9]{1,2})?" placeholder="${held}" title="Rupiah, with up to two decimals" autocomplete="off"></span></label>
${button('partially_refunded', 'Refund this amount')}
</form>
<p class="hint">A refund returns money to the payer. A chargeback is a return forced by the payer’s bank. The provider still holds ${displayRupiah(heldCents(order))}.</p>`
}

function attemptsCard({ attempts, nextRetryAt }: OrderView): Html {
  return html`<section class="card"><h2>Notifications</h2>
${nextRetryAt !== null && html`<p class="hint">Next attempt at ${wibTime(nextRetryAt)} WIB.</p>`}
${attempts.length === 0 ? html`<p class="hint">No notifications sent yet.</p>` : html`<ul class="log">${attempts.map(attemptItem)}</ul>`}</section>`
}

function attemptItem(attempt: Attempt): Html {
  const ok = attempt.answeredStatus >= 200 && attempt.answeredStatus < 300
  return html`<li><details data-key="${attempt.at}-${attempt.try}-${attempt.says}"><summary>
<span class="time">${wibTime(attempt.at)}</span><b>${attempt.says}</b>
<span class="answer ${ok ? 'good' : 'bad'}">${attempt.answeredStatus === 0 ? 'no response' : `HTTP ${attempt.answeredStatus}`}</span>
${attempt.try > 1 && html`<span class="note">attempt ${attempt.try}</span>`}
</summary>
<p class="url">POST ${attempt.url}</p><pre>${pretty(attempt.requestBody)}</pre>
<p class="url">Response</p><pre>${attempt.answeredBody || '(empty)'}</pre></details></li>`
}

function requestsCard({ requests }: OrderView): Html {
  return html`<section class="card"><h2>Create requests</h2>
${
  requests.length === 0
    ? html`<p class="hint">No longer in the log.</p>`
    : html`<ul class="log">${requests.map(
        entry => html`<li><span class="time">${wibTime(entry.at)}</span><b>${entry.reference}</b>
<span class="answer">${entry.answeredStatus === null ? 'no response' : `HTTP ${entry.answeredStatus}, code ${entry.answeredCode ?? '–'}`}</span></li>`,
      )}</ul>`
}</section>`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
