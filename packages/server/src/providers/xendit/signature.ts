// Xendit does not sign webhooks. Each webhook carries the account's constant token in x-callback-token
// (docs.xendit.co handling-webhooks), which covers neither the body nor the time. Anyone with the token can
// forge webhooks until it is renewed in the dashboard, so it authenticates the sender but not the content.

import { isEqualSecret } from '../../values/equal-secret.ts'
export function tokenHolds(given: string | undefined, token: string): boolean {
  return isEqualSecret(given ?? '', token)
}
