// Checks Xendit's webhook token. Xendit does not sign webhooks; instead, each webhook contains the account's
// constant token in x-callback-token (docs.xendit.co handling-webhooks). Anyone who knows the token can forge
// webhooks until the merchant renews it in the dashboard.

import { isEqualSecret } from '../../values/equal-secret.ts'
export function tokenHolds(given: string | undefined, token: string): boolean {
  return isEqualSecret(given ?? '', token)
}
