// Xendit does not sign webhooks. Each webhook has the account's constant token in x-callback-token
// (docs.xendit.co handling-webhooks). A valid token proves only that the sender knows the token, not that the
// content of the webhook is genuine. Anyone who knows the token can forge webhooks until the merchant renews
// it in the dashboard.

import { isEqualSecret } from '../../values/equal-secret.ts'
export function tokenHolds(given: string | undefined, token: string): boolean {
  return isEqualSecret(given ?? '', token)
}
