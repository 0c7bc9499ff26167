// An example of a webhook with the signatures that it would carry, so that whoever tries his own verification on it
// gets what it says.

import { signedHeaders } from '../webhooks/sign.ts'
import { paidAt, webhookSecret } from './example-parts.ts'

export function signedExample(event: object): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event)
  const { id, type } = event as { id: string; type: string }
  return { headers: signedHeaders({ id, type, body }, [webhookSecret], new Date(paidAt)), body }
}
