import { randomUUID } from 'node:crypto'
import { verify, WebhookVerificationError } from '@gapura/sdk/webhooks'
import fastify from 'fastify'
import { orderPage, shopPage } from './pages.ts'
import { createPayment, gapura, payInSandbox } from './payments.ts'
import { heed, secrets } from './shop.ts'

type Order = { Params: { id: string } }

const app = fastify({ logger: true })

// The forms on the shop's pages have no fields, so the bodies of their requests need no parsing.
app.addContentTypeParser('application/x-www-form-urlencoded', async () => undefined)

app.get('/', async (_, reply) => reply.type('text/html').send(shopPage()))

app.post('/orders', async (_, reply) => {
  const { id } = await createPayment(randomUUID())
  return reply.redirect(`/orders/${id}`, 303)
})

app.get<Order>('/orders/:id', async (request, reply) =>
  reply.type('text/html').send(orderPage(await gapura.payments.get(request.params.id))),
)

app.post<Order>('/orders/:id/pay', async (request, reply) => {
  const { id } = request.params
  await payInSandbox(await gapura.payments.get(id))
  return reply.redirect(`/orders/${id}`, 303)
})

app.register(async receiver => {
  receiver.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => body,
  )
  receiver.post<{ Body: Buffer }>('/webhooks/gapura', async (request, reply) => {
    try {
      heed(await verify(request.body, request.headers, secrets))
      return reply.code(204).send()
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error // Fastify returns 500
      return reply.code(400).send(error.message)
    }
  })
})

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
