import { type Html, html } from './html.ts'
import type { Status } from './order.ts'

export function frame(title: string, body: Html, { bare = false, refreshSeconds = 0 } = {}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/page.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${refreshSeconds > 0 && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
<script src="/assets/page.js" defer></script>
</head>
<body${bare && html` class="bare"`}>
${
  !bare &&
  html`<header class="top"><a class="brand" href="/"><span class="gate" aria-hidden="true"></span>Provider sandbox</a>
<span class="note">No real money moves here</span></header>`
}
<main>${body}</main>
</body>
</html>`.html
}

export function statusPill(status: Status): Html {
  return html`<span class="pill ${status}">${status}</span>`
}
