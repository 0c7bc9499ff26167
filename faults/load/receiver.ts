// Runs the merchants' webhook receivers, which record each webhook and whether its signature is valid. A text in a
// payment's customer name determines how often the receiver fails for this payment.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Arrival } from '../checker/evidence.ts'

export type Receiver = {
  port: number
  arrivals: Arrival[]
  /** Makes the receiver accept this tenant's webhooks at `/<tenant id>`. The tenant signs them with `secret`. */
  expect(tenantId: string, secret: string): void
  stop(): Promise<void>
}

/**
 * Returns a text to include in a payment's customer name. The webhook receiver then fails the first `times`
 * delivery attempts for each event of this payment.
 */
export const failing = (times: number): string => `gagal ${times}`

export async function startReceiver(): Promise<Receiver> {
  const secrets = new Map<string, string>()
  const arrivals: Arrival[] = []
  const counts = new Map<string, number>()

  async function receive(request: IncomingMessage): Promise<number> {
    const tenantId = request.url?.slice(1) ?? ''
    const body = await buffer(request)
    const secret = secrets.get(tenantId) ?? ''
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const { id, type, data } = JSON.parse(body.toString())
    const eventId = String(request.headers['x-service-event-id'])
    const count = (counts.get(eventId) ?? 0) + 1
    counts.set(eventId, count)
    arrivals.push({
      tenantId,
      eventId,
      paymentId: data.id,
      type,
      isGenuine: request.headers['x-service-signature'] === signature && id === eventId,
    })
    const fails = Number(/gagal (\d+)$/.exec(data.customer_name)?.[1] ?? 0)
    return count <= fails ? 500 : 200
  }

  const server = createServer((request, response) => {
    receive(request).then(
      status => response.writeHead(status).end(),
      // This error means that the connection broke while the receiver read the webhook's body.
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    expect: (tenantId, secret) => void secrets.set(tenantId, secret),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
