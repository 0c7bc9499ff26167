import { gapura, payInSandbox } from '../../../../payments.ts'

type Context = { params: Promise<{ id: string }> }

export async function POST(_: Request, { params }: Context): Promise<Response> {
  const { id } = await params
  await payInSandbox(await gapura.payments.get(id))
  return new Response(null, { status: 303, headers: { location: `/orders/${id}` } })
}
