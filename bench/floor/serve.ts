// Shared code of the benchmark's reference programs that have an HTTP server. The parent process sends the
// configuration as a message, and the program responds with its URL.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Opens a database connection pool as large as the service's pool. */
export const newPool = (url: string): pg.Pool => new pg.Pool({ connectionString: url, max: 20 })

export function serve<Config>(make: (config: Config) => Answer): void {
  process.once('message', config => {
    const answer = make(config as Config)
    const server = createServer((request, response) => {
      answer(request, response).catch(error => {
        process.stderr.write(`${error.stack}\n`)
        response.writeHead(500).end()
      })
    })
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      process.send?.({ url: `http://127.0.0.1:${port}` })
    })
  })
  process.on('disconnect', () => process.exit(0))
  process.on('SIGTERM', () => process.exit(0))
}

export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

export function answerJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Returns the tenant the request's API key belongs to. The process loads all keys into memory when it starts. */
export function tenantOf(request: IncomingMessage, tenants: Map<string, string>): string | undefined {
  return tenants.get((request.headers.authorization ?? '').slice('ApiKey '.length))
}

export type Keys = { id: string; keys: string[] }[]

export const byKey = (tenants: Keys): Map<string, string> =>
  new Map(tenants.flatMap(({ id, keys }) => keys.map(key => [key, id] as const)))

/** Serializes a payment row as JSON with the same fields as the service's payment response. */
export const view = (row: Record<string, unknown>): string =>
  JSON.stringify({
    success: true,
    data: {
      id: row.id,
      tenant_id: row.tenant_id,
      payment_code: row.payment_code,
      idempotency_key: row.idempotency_key,
      amount: Number(row.amount),
      currency: row.currency,
      method_type: row.method_type,
      method_data: row.method_data,
      status: row.status,
      provider: row.provider,
      provider_payment_id: row.provider_payment_id,
      customer_name: row.customer_name,
      customer_email: row.customer_email,
      customer_phone: row.customer_phone,
      items: row.items,
      expires_at: row.expires_at,
      paid_at: row.paid_at,
      amount_paid: row.amount_paid === null ? null : Number(row.amount_paid),
      failure_reason: row.failure_reason,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  })

export const viewed = `id, tenant_id, payment_code, idempotency_key, amount, currency, method_type, method_data, status,
  provider, provider_payment_id, customer_name, customer_email, customer_phone, items, expires_at, paid_at, amount_paid,
  failure_reason, created_at, updated_at`
