import { verify, WebhookVerificationError } from '@gapura/sdk/webhooks'
import { heed, secrets } from '../../../shop.ts'

export async function POST(request: Request): Promise<Response> {
  try {
    heed(await verify(await request.text(), request.headers, secrets))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error // Next returns 500
    return new Response(error.message, { status: 400 })
  }
}
