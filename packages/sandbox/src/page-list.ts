import { type Html, html } from './html.ts'
import type { Order } from './order.ts'
import { frame, statusPill } from './page-frame.ts'
import { displayRupiah } from './rupiah.ts'
import { wibTime } from './wib.ts'

export type ListView = {
  orders: Order[]
  total: number
  search: string
  // The sequence number (`seq`) of the first order on the page. Absent if there are no newer orders.
  newerThan?: number
  // The sequence number (`seq`) of the last order on the page. Absent if there are no older orders.
  olderThan?: number
  nameOf: (order: Order) => string
}

export function listPage(view: ListView): string {
  const { orders, total, search } = view
  const found = orders.length > 0 ? html`${table(view)}${paging(view)}` : empty(search)
  return frame(
    'Provider sandbox',
    html`<div class="heading"><h1>Payments</h1>
<form class="search" action="/" method="get" role="search">
<input type="search" name="q" value="${search}" placeholder="Payment code or number" aria-label="Payment code or number" autocomplete="off" spellcheck="false">
<button type="submit">Search</button>
</form></div>
<div id="live"><p class="count">${total === 1 ? '1 payment' : `${total.toLocaleString('en')} payments`} created${search && html`, showing codes that start with <b>${search}</b>`}</p>
${found}</div>`,
    { refreshSeconds: 5 },
  )
}

function table({ orders, nameOf }: ListView): Html {
  return html`<table class="orders">
<thead><tr><th>Created (WIB)</th><th>Provider</th><th>Method</th><th>Code</th><th>Customer</th><th class="amount">Amount</th><th>Status</th></tr></thead>
<tbody>${orders.map(
    order => html`<tr>
<td class="time">${wibTime(order.createdAt)}</td>
<td class="provider">${nameOf(order)}</td>
<td class="method">${order.method.replaceAll('_', ' ')}</td>
<td class="code"><a href="/orders/${order.id}">${order.reference}</a></td>
<td class="customer">${order.customer || '–'}</td>
<td class="amount">${displayRupiah(order.recordedCents)}</td>
<td class="status">${statusPill(order.status)}</td>
</tr>`,
  )}</tbody></table>`
}

function paging({ search, newerThan, olderThan }: ListView): Html {
  const link = (name: 'before' | 'after', seq: number) =>
    `/?${new URLSearchParams({ ...(search && { q: search }), [name]: String(seq) })}`
  return html`<nav class="paging" aria-label="Pages">
${newerThan === undefined ? html`<span></span>` : html`<a class="button" rel="prev" href="${link('after', newerThan)}">Newer</a>`}
${olderThan === undefined ? html`<span></span>` : html`<a class="button" rel="next" href="${link('before', olderThan)}">Older</a>`}
</nav>`
}

function empty(search: string): Html {
  return search
    ? html`<div class="empty"><p>No payment code or number starts with <b>${search}</b>.</p><p><a href="/">Show all payments</a></p></div>`
    : html`<div class="empty"><p>No payments yet.</p><p>Set the provider’s base URL to this server and create a payment. It appears here automatically.</p></div>`
}
