// Serves /return/<payment code>. An e-wallet sends the payer back to this page if the merchant has not set a return
// URL. Anyone who has the link can open the page, so it shows only the payment's status and the merchant's branding.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type Router from '@koa/router'
import type { Context as KoaContext } from 'koa'
import { findBrand } from '../../branding/branding.sql.ts'
import { contrastWithWhite, MIN_CONTRAST } from '../../branding/contrast.ts'
import type { Db } from '../../db/db.ts'
import type { EarlyChecks } from '../../payments/inquire/early-checks.ts'
import { isShown } from '../../payments/payment.ts'
import { findPaymentByCode } from '../../payments/read/payment-list.sql.ts'
import { packageDirectory } from '../../repository.ts'
import { loadOnce, textResource } from './resource.ts'
import {
  isPayable,
  languages,
  type PageLanguage,
  statusPage,
  unknownPaymentPage,
} from './return-page-html.ts'
import { ofPages, sendResource } from './send-resource.ts'

const directory = join(packageDirectory, 'assets/return')

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Record<string, string> = {
  'return.css': 'text/css; charset=utf-8',
  'return.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

export function mountReturnPage(router: Router, app: { db: Db; earlyChecks: EarlyChecks }): void {
  const assets = new Map(
    Object.entries(types).map(([name, type]) => [
      name,
      loadOnce(async () => textResource(type, await readFile(join(directory, name), 'utf8'))),
    ]),
  )

  router.get('/return/assets/:name', async ctx => {
    const asset = await assets.get(ctx.params.name ?? '')?.()
    if (asset) await sendResource(ctx, asset, { caching: 'no-cache' })
  })

  // The content security policy allows no inline styles, so the merchant's brand color is in a separate stylesheet.
  router.get('/return/brands/:color.css', ctx => {
    const { color = '' } = ctx.params
    if (!/^[0-9a-f]{6}$/.test(color) || contrastWithWhite(`#${color}`) < MIN_CONTRAST) return
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.type = 'text/css; charset=utf-8'
    ctx.body = `:root {\n  --brand: #${color};\n  --brand-ink: #ffffff;\n}\n`
  })

  // E-wallets append query parameters with the result to the URL. Because anyone can forge these parameters, the page
  // shows only the status of the stored payment.
  router.get('/return/:code', async ctx => {
    const language = languageOf(ctx)
    const payment = await findPaymentByCode(app.db, ctx.params.code ?? '')
    ctx.vary('Accept-Language')
    if (!payment || !isShown(payment.status)) return send(ctx, 404, unknownPaymentPage(language))
    // The payer may return before the provider's callback arrives, or the callback may be lost. The service therefore
    // polls the provider for the payment's status earlier than scheduled.
    if (isPayable(payment.status))
      app.earlyChecks.notePayerWaiting({ tenantId: payment.tenantId, paymentId: payment.id })
    const brand = await findBrand(app.db, payment.tenantId)
    send(ctx, 200, statusPage({ ...payment, status: payment.status }, brand, language))
  })
}

function languageOf(ctx: KoaContext): PageLanguage {
  const accepted = ctx.acceptsLanguages(...languages)
  return languages.find(each => each === accepted) ?? languages[0]
}

function send(ctx: KoaContext, status: number, html: string): void {
  ctx.status = status
  ctx.set({ ...ofPages, 'Content-Security-Policy': policy, 'X-Robots-Tag': 'noindex' })
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = html
}
