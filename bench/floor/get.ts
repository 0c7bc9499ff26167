// The reference program for reading a payment by ID: a minimal program with which the benchmark compares the service.
// It keeps the API keys in memory, so each request needs only one prepared statement.

import { answerJson, byKey, type Keys, newPool, serve, tenantOf, view, viewed } from './serve.ts'

const find = { name: 'get', text: `select ${viewed} from payments where tenant_id = $1 and id = $2` }

serve<{ databaseUrl: string; tenants: Keys }>(({ databaseUrl, tenants }) => {
  const pool = newPool(databaseUrl)
  const known = byKey(tenants)
  return async (request, response) => {
    const tenantId = tenantOf(request, known)
    const id = (request.url ?? '').slice('/v1/payments/'.length)
    const { rows } = await pool.query({ ...find, values: [tenantId, id] })
    if (rows[0]) answerJson(response, view(rows[0]))
    else response.writeHead(404).end()
  }
})
