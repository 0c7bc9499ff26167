// The floor (minimal reference program) for accepting a callback. It checks the signature and inserts one row.

import { createHash, randomUUIDv7, timingSafeEqual } from 'node:crypto'
import { answerJson, newPool, readBody, serve } from './serve.ts'

const insert = {
  name: 'insert',
  text: `insert into provider_callbacks (id, provider_account_id, provider, received_at, path, headers, body)
    values ($1, $2, 'midtrans', now(), $3, $4, $5)`,
}

type Config = { databaseUrl: string; account: { id: string; serverKey: string } }

serve<Config>(({ databaseUrl, account }) => {
  const pool = newPool(databaseUrl)
  const accounts = new Map([[account.id, account.serverKey]])
  return async (request, response) => {
    const path = request.url ?? ''
    const id = path.slice('/v1/callbacks/midtrans/'.length)
    const serverKey = accounts.get(id)
    const body = await readBody(request)
    const { order_id, status_code, gross_amount, signature_key } = JSON.parse(body.toString())
    const signature = createHash('sha512')
      .update(order_id + status_code + gross_amount + serverKey)
      .digest()
    if (!timingSafeEqual(signature, Buffer.from(signature_key, 'hex')))
      return void response.writeHead(401).end()
    await pool.query({
      ...insert,
      values: [randomUUIDv7(), id, path, JSON.stringify(request.headers), body],
    })
    answerJson(response, '{"status":"ok"}')
  }
})
