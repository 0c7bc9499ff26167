// The providers' door: raw bytes in, the acknowledgement they expect out.

import type Router from '@koa/router'
import type { App } from '../app.ts'
import { callbackReception } from '../callbacks/receive-callback.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import { readBody } from './body.ts'
import type { ClientAddress } from './client-address.ts'

export function mountCallbacks(router: Router, app: App, clientAddress: ClientAddress): void {
  const receive = callbackReception(app)
  // Some protocols have a path of their own below it for each kind of message.
  router.all('/v1/callbacks/:provider_code/:provider_account_id{/*endpoint}', async ctx => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST')
      throw new GatewayError('METHOD_NOT_ALLOWED', `${ctx.method} ${ctx.path}; it takes POST`)
    }
    const { provider_code = '', provider_account_id = '' } = ctx.params
    if (!isId(provider_account_id))
      throw new GatewayError('NOT_FOUND', `provider account ${provider_account_id} not found`)
    const headers = Object.fromEntries(
      Object.entries(ctx.req.headers).map(([name, value]) => [name, String(value)]),
    )
    const path = publicPath(app.publicUrl) + ctx.url
    const { status, contentType, body } = await receive(provider_code, provider_account_id, {
      path,
      headers,
      clientAddress: clientAddress(ctx.req),
      readBody: () => readBody(ctx.req),
    })
    ctx.status = status
    ctx.type = contentType
    ctx.body = body
  })
}

/** As the provider was told to call it: a proxy in between may have taken the beginning off. */
const publicPath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')
