import { withCode } from './with-code.ts'

type Id = { id: string }

export const notFoundFaults = withCode('NOT_FOUND', {
  payment_not_found: ({ id }: Id) => `payment ${id} not found`,
  tenant_not_found: ({ id }: Id) => `tenant ${id} not found`,
  api_key_not_found: ({ id }: Id) => `API key ${id} not found`,
  user_not_found: ({ id }: Id) => `user ${id} not found`,
  passkey_not_found: ({ id }: Id) => `passkey ${id} not found`,
  session_not_found: ({ id }: Id) => `session ${id} not found`,
  provider_not_found: ({ code }: { code: string }) => `provider ${code} not found`,
  settlement_not_found: ({ date }: { date: string }) => `no settlement was uploaded for ${date}`,
  provider_account_not_found: ({ id }: Id) => `provider account ${id} not found`,
  api_request_not_found: ({ id }: Id) => `request ${id} not found`,
  webhook_endpoint_not_found: ({ id }: Id) => `webhook endpoint ${id} not found`,
  webhook_event_not_found: ({ id }: Id) => `webhook event ${id} not found`,
  provider_callback_not_found: ({ id }: Id) => `provider callback ${id} not found`,
  unexpected_money_not_found: ({ id }: Id) => `unexpected money record ${id} not found`,
  difference_not_found: ({ id }: Id) => `difference ${id} not found`,
  ledger_not_sealed: () =>
    'no entry of this ledger is sealed yet; entries are sealed within about ten minutes',
})
