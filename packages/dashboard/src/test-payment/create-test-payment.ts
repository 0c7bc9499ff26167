// Creates a test payment with an API key, because a user's access token cannot create payments. The API key is
// short-lived, belongs to the user's login session, and is stored only in memory.

import type { AppRouter } from '@gapura/server'
import { createTRPCClient, httpLink } from '@trpc/client'
import { faultOf } from '../api/fault.ts'
import { client, type Inputs, type Outputs } from '../api/trpc.ts'

/**
 * The API key is renewed this many milliseconds before it expires, because a provider may need this long to respond.
 */
const SPARE_MS = 30_000

let held: { key: string; endsAtMs: number } | undefined

const byKey = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      headers: async ({ op: { context } }) => ({
        authorization: `ApiKey ${await sessionKey()}`,
        'x-idempotency-key': String(context.idempotencyKey),
      }),
    }),
  ],
})

export type TestOrder = { order: Inputs['payments']['create']; idempotencyKey: string }

export async function createTestPayment({
  order,
  idempotencyKey,
}: TestOrder): Promise<Outputs['payments']['create']> {
  try {
    return await byKey.payments.create.mutate(order, { context: { idempotencyKey } })
  } catch (error) {
    if (faultOf(error).code === 'UNAUTHORIZED') held = undefined
    throw error
  }
}

async function sessionKey(): Promise<string> {
  if (!held || held.endsAtMs - SPARE_MS < Date.now()) {
    const { key, expires_in } = await client.keys.createForSession.mutate()
    held = { key, endsAtMs: Date.now() + expires_in * 1_000 }
  }
  return held.key
}
