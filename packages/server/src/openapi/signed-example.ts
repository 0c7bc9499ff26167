// An example webhook with valid signatures, so that readers can test their own verification with it.

import { signedHeaders } from '../webhooks/delivery/sign.ts'
import { paidAt, webhookSecret } from './example-parts.ts'

export function signedExample(event: object): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event)
  const { id, type } = event as { id: string; type: string }
  return { headers: signedHeaders({ id, type, body }, [webhookSecret], new Date(paidAt)), body }
}
