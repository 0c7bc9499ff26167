// The HTTP endpoint for callbacks from providers. It passes on the raw bytes of a callback, and returns the
// acknowledgement that the provider expects.

import type Router from '@koa/router'
import type { App } from '../app.ts'
import { callbackReceiver } from '../callbacks/receive-callback.ts'
import { queueingLimit } from '../fairness/queueing-limit.ts'
import { fault } from '../faults/fault.ts'
import { boundedCache } from '../values/bounded-cache.ts'
import { isId } from '../values/id.ts'
import { type Admission, inSlot } from './admission/admission.ts'
import { readBody } from './body.ts'
import type { ClientAddress } from './client-address.ts'
import { networkSourceOf } from './network-source.ts'

const KNOWN_ACCOUNTS = 10_000
/** The maximum number of concurrent database lookups of provider accounts for callbacks from one IP address. */
const MAX_LOOKUPS_PER_SOURCE = 16

export function mountCallbacks(
  router: Router,
  app: App,
  clientAddress: ClientAddress,
  admit: Admission,
): void {
  const known = boundedCache<true>(KNOWN_ACCOUNTS)
  const inTurn = queueingLimit(MAX_LOOKUPS_PER_SOURCE)

  /**
   * If the provider account does not exist, throws NOT_FOUND. The number of lookups is limited per IP address, because
   * anyone can send callbacks with made-up account IDs.
   */
  async function ensureKnown(accountId: string, source: string): Promise<void> {
    if (known.has(accountId)) return
    const found = isId(accountId) && (await inTurn(source, () => app.accountOf(accountId)))
    if (!found) throw fault('provider_account_not_found', { id: accountId })
    known.set(accountId, true)
  }

  const receive = callbackReceiver(app)
  // The path may continue after the account ID, because some providers send each kind of message to a separate subpath.
  router.all('/v1/callbacks/:provider_code/:provider_account_id{/*endpoint}', async ctx => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST')
      throw fault('method_not_allowed', { method: ctx.method, path: ctx.path, allow: 'POST' })
    }
    const { provider_code = '', provider_account_id = '' } = ctx.params
    const address = clientAddress(ctx.req)
    const source = networkSourceOf(address)
    await ensureKnown(provider_account_id, source)
    const owner = admit.ofAccount(provider_account_id, source)
    const headers = Object.fromEntries(
      Object.entries(ctx.req.headers).map(([name, value]) => [name, String(value)]),
    )
    const path = publicPath(app.publicUrl) + ctx.url
    const called = { path, headers, clientAddress: address, body: await readBody(ctx.req, owner) }
    const {
      status,
      contentType,
      headers: more = {},
      body,
    } = await inSlot(owner, called.body.length, () => receive(provider_code, provider_account_id, called))
    ctx.status = status
    ctx.type = contentType
    ctx.set(more)
    ctx.body = body
  })
}

/**
 * Returns the path prefix of the service's public URL. A proxy may remove this prefix from the path of a request. The
 * service adds it again, because some providers sign the whole path.
 */
const publicPath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')
