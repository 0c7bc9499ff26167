// Xendit does not sign webhooks. Each webhook has the account's constant token in x-callback-token (docs.xendit.co
// handling-webhooks). Anyone who knows the token can forge webhooks until the merchant renews it in the dashboard. The
// token therefore proves who sent a webhook, but not what it says.

import { isEqualSecret } from '../../values/equal-secret.ts'
export function tokenHolds(given: string | undefined, token: string): boolean {
  return isEqualSecret(given ?? '', token)
}
