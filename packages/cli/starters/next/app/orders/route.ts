import { randomUUID } from 'node:crypto'
import { createPayment } from '../../payments.ts'

export async function POST(): Promise<Response> {
  const { id } = await createPayment(randomUUID())
  return new Response(null, { status: 303, headers: { location: `/orders/${id}` } })
}
