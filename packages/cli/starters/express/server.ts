import { randomUUID } from 'node:crypto'
import { verify, WebhookVerificationError } from '@gapura/sdk/webhooks'
import express from 'express'
import { orderPage, shopPage } from './pages.ts'
import { createPayment, gapura, payInSandbox } from './payments.ts'
import { heed, secrets } from './shop.ts'

const app = express()

app.get('/', (_, response) => {
  response.send(shopPage())
})

app.post('/orders', async (_, response) => {
  const { id } = await createPayment(randomUUID())
  response.redirect(303, `/orders/${id}`)
})

app.get('/orders/:id', async (request, response) => {
  response.send(orderPage(await gapura.payments.get(request.params.id)))
})

app.post('/orders/:id/pay', async (request, response) => {
  const { id } = request.params
  await payInSandbox(await gapura.payments.get(id))
  response.redirect(303, `/orders/${id}`)
})

app.post('/webhooks/gapura', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
  try {
    heed(await verify(request.body, request.headers, secrets))
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error // Express returns 500
    response.status(400).send(error.message)
  }
})

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
