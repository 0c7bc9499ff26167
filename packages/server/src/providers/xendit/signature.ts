// Xendit signs nothing. Each webhook carries the account's fixed token in x-callback-token (docs.xendit.co
// handling-webhooks): no byte of the body and no time is covered. Whoever learns the token can claim anything
// until it is renewed in the dashboard; it proves the sender, never the content.

import { isEqualSecret } from '../../equal.ts'
export function tokenHolds(given: string | undefined, token: string): boolean {
  return isEqualSecret(given ?? '', token)
}
