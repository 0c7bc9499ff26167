// Xendit signs nothing. Each webhook carries the account's fixed token in x-callback-token (docs.xendit.co
// handling-webhooks): no byte of the body and no time is covered. Whoever learns the token can claim anything
// until it is renewed in the dashboard; it proves the sender, never the content.

import { timingSafeEqual } from 'node:crypto'

export function tokenHolds(given: string | undefined, token: string): boolean {
  const [sent, expected] = [Buffer.from(given ?? ''), Buffer.from(token)]
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
