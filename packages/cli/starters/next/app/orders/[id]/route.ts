import { orderPage } from '../../../pages.ts'
import { gapura } from '../../../payments.ts'

type Context = { params: Promise<{ id: string }> }

export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { id } = await params
  return new Response(orderPage(await gapura.payments.get(id)), { headers: { 'content-type': 'text/html' } })
}
