// The providers' door: raw bytes in, the acknowledgement they expect out.

import type Router from '@koa/router'
import { LRUCache } from 'lru-cache'
import type { App } from '../app.ts'
import { sourceOf } from '../auth/source.ts'
import { callbackReception } from '../callbacks/receive-callback.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import { turnsOfEach } from '../turns.ts'
import { type Admission, inPlace } from './admission.ts'
import { readBody } from './body.ts'
import type { ClientAddress } from './client-address.ts'

const KNOWN_ACCOUNTS = 10_000
/** At a time, for accounts that were not called before. */
const LOOKS_OF_SOURCE = 16

export function mountCallbacks(
  router: Router,
  app: App,
  clientAddress: ClientAddress,
  admit: Admission,
): void {
  const known = new LRUCache<string, true>({ max: KNOWN_ACCOUNTS })
  const inTurn = turnsOfEach(LOOKS_OF_SOURCE)

  /** Anybody can make up accounts, and each costs a look into the database. Throws NOT_FOUND. */
  async function ensureKnown(accountId: string, source: string): Promise<void> {
    if (known.has(accountId)) return
    const found = isId(accountId) && (await inTurn(source, () => app.accountOf(accountId)))
    if (!found) throw new GatewayError('NOT_FOUND', `provider account ${accountId} not found`)
    known.set(accountId, true)
  }

  const receive = callbackReception(app)
  // Some protocols have a path of their own below it for each kind of message.
  router.all('/v1/callbacks/:provider_code/:provider_account_id{/*endpoint}', async ctx => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST')
      throw new GatewayError('METHOD_NOT_ALLOWED', `${ctx.method} ${ctx.path}; it takes POST`)
    }
    const { provider_code = '', provider_account_id = '' } = ctx.params
    const address = clientAddress(ctx.req)
    const source = sourceOf(address)
    await ensureKnown(provider_account_id, source)
    const owner = admit.ofAccount(provider_account_id, source)
    const headers = Object.fromEntries(
      Object.entries(ctx.req.headers).map(([name, value]) => [name, String(value)]),
    )
    const path = publicPath(app.publicUrl) + ctx.url
    const called = { path, headers, clientAddress: address, body: await readBody(ctx.req, owner) }
    const { status, contentType, body } = await inPlace(owner, called.body.length, () =>
      receive(provider_code, provider_account_id, called),
    )
    ctx.status = status
    ctx.type = contentType
    ctx.body = body
  })
}

/** As the provider was told to call it: a proxy in between may have taken the beginning off. */
const publicPath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')
