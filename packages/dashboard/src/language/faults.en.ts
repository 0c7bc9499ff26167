import type { FaultTexts } from './fault-catalogue.ts'

const busy = 'The service is busy. Try again in a moment'

const types: Record<string, string> = { string: 'must not be empty', array: 'must be a list' }
const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  date: 'must be a date',
  datetime: 'must be a date and a time',
}

/** Formats a duration. Up to two minutes are shown in seconds. */
const duration = (seconds: number): string =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`
const reason = (text: string): string => text.replace(/^refused: /, '')

export const faultTexts: FaultTexts = {
  // Errors of authentication and permissions.
  credential_missing: 'Log in first',
  scheme_unknown: 'Log in first',
  api_key_required: 'This needs an API key',
  access_token_required: 'Log in first',
  api_key_invalid: 'This API key is invalid or revoked',
  access_token_invalid: 'Your session has ended. Log in again',
  login_failed: 'E-mail address or password is wrong',
  refresh_token_invalid: 'Your session has ended. Log in again',
  tenant_suspended: 'This tenant is suspended',
  role_not_allowed: 'This is not for your role',
  session_key_limited: 'This works only with an API key of your own',
  session_of_another_site: 'This page may not use your session',
  mode_of_other_key: 'This API key is for the other mode',
  live_key_cannot_listen: 'This works only with a test key',
  reconciliation_for_owner: 'Only the Owner can query providers',
  login_delayed: ({ seconds }) => `Too many failed log-ins; try again in ${duration(seconds)}`,
  key_guesses_exceeded: 'Too many invalid API keys from your IP address. Try again in a moment',
  rate_exceeded: 'Too many requests; try again in a moment',

  // Errors about tenants, users, keys and provider accounts.
  partner_creates_clients_only: 'A Partner can create Clients only',
  partner_tier_exceeded: ({ tier }) => `The highest tier that you can give is your own, ${tier}`,
  partner_creates_below_itself: 'A Partner can create only its own Clients',
  owner_created_on_server: 'An Owner can be created on the server only',
  tenant_managed_by_owner: 'Only the Owner manages this tenant',
  tier_set_by_owner: 'only the Owner can change the tier',
  parent_not_partner: 'must be a Partner',
  parent_not_allowed: 'only a Client can belong to a Partner',
  password_wrong: 'this password is wrong',
  reset_token_invalid: 'this token was already used, has expired or never existed. Request another',
  previous_credentials_without_new: 'can be set only together with new credentials',
  provider_unknown: 'this is not one of the choices',
  repeated_account: 'this is in the list already',
  account_not_grantable: 'this account cannot be used here',
  account_not_entitled: 'this account cannot be used here',
  method_not_offered: ({ method, provider }) => `${method} is not offered by ${provider}`,
  channel_not_offered: ({ channel, provider, offered }) =>
    `${channel} is not offered by ${provider}; available: ${offered.join(', ')}`,
  url_malformed: 'must be a URL',
  url_not_https: 'must begin with https://',
  url_names_private_address: 'must not be a private or reserved address',
  url_names_this_machine: 'must not be an address of the server itself',
  own_tenant_suspended: 'You cannot suspend your own tenant',
  last_active_tenant: ({ role }) => `The last active ${role} cannot be suspended`,
  email_in_use: ({ email }) => `${email} is already in use`,
  api_key_revoked: 'This API key is revoked',
  api_key_rotated: 'This API key was rotated before',
  event_being_delivered: 'This webhook is being delivered; wait for its attempts to end',
  callback_url_missing: 'There is no callback URL; set one first',
  too_many_webhook_secrets: ({ most, until }, { time }) =>
    `${plural(most, 'previous secret')} still sign. Wait until ${time(until)}, or revoke the previous secrets`,

  // Errors about the service's capacity.
  own_requests_in_flight: 'Too many requests; try again in a moment',
  own_work_at_capacity: ({ most, what }) => `Only ${most} ${what} can run at a time. Wait for one to end`,
  own_charges_at_capacity: 'Too many of your payments are waiting for the provider. Try again in a moment',
  own_reads_at_capacity: 'Too many large requests; try again in a moment',
  responses_not_received: 'Too many responses are still being loaded. Try again in a moment',
  server_at_capacity: busy,
  work_at_capacity: busy,
  passwords_at_capacity: busy,
  charges_at_capacity: busy,
  database_slow: busy,
  database_busy: 'This is being changed by another request. Try again',
  database_unreachable: 'The database cannot be reached. Try again',
  storage_full: 'The storage of the service is full. Try again later',
  database_out_of_memory: busy,
  database_limit_reached: busy,
  balance_busy: 'The balance is being changed by another payment. Try again',
  unexpected: 'Something went wrong in the service. Try again later',

  // Errors about payments and money.
  whole_rupiah_only: ({ provider, channel }) => `${provider} takes whole rupiah only for ${channel}`,
  channel_amount_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} takes at least ${money(min)} for ${channel}`,
  channel_amount_too_large: ({ provider, channel, max }, { money }) =>
    `${provider} takes at most ${money(max)} for ${channel}`,
  channel_expiry_too_short: ({ provider, channel, min }, { count }) =>
    `${provider} takes at least ${count(min)} minutes for ${channel}`,
  channel_expiry_too_long: ({ provider, channel, max }, { count }) =>
    `${provider} takes at most ${count(max)} minutes for ${channel}`,
  mobile_number_needed: ({ provider, channel }) =>
    `${provider} needs the payer’s mobile number for ${channel}`,
  channel_not_enabled: ({ channel }) => `${channel} is not enabled`,
  return_url_not_https: 'must begin with https:// for a live payment',
  period_ends_before_start: 'the last day must not be before the first',
  period_too_long: ({ days }) => `must be at most ${days} days after the first`,
  period_sum_too_large: 'The amounts of this period are too large. Choose fewer days',
  report_too_long: 'This report is too long. Choose fewer days',
  date_in_future: 'must not be in the future',
  amount_of_payment: 'can be set for a refund or a chargeback only',
  amount_reported: ({ amount }, { money }) => `the provider reported ${money(amount)}`,
  amount_not_reported: 'enter the amount: the provider did not report it',
  refund_exceeds_received: ({ received }, { money }) => `only ${money(received)} was received`,
  refund_not_whole: ({ received }, { money }) =>
    `must be all of it, ${money(received)}, because none of it was credited`,
  idempotency_key_reused: 'This order was already sent with other values. Start again',
  idempotency_key_in_progress: 'This order is still being processed. Try again in a moment',
  transition_refused: 'The payment’s status has changed, so this can no longer be done',
  payment_not_confirmed:
    'The provider does not confirm that the money was received; you can credit it without confirmation',
  provider_silent: 'The provider did not respond; try again, or credit it without confirmation',
  received_was_refunded: 'The money received for this payment was refunded to the payer',
  outcome_known: 'The outcome of this payment is known by now',
  payment_not_paid: 'The payment is not paid, so nothing can be debited',
  money_assigned: 'This money belongs to a payment already; accept or refund it',
  money_of_other_mode: 'The money and the payment are of different modes',
  money_unassigned: 'Which payment this money is for is unknown; assign it to a payment first',
  money_not_dismissible: 'Only a refund or a chargeback can be dismissed',
  money_reversed: 'The provider has taken this back already',
  money_returned: 'The provider already refunded this to the payer; accept it or dismiss it',
  payment_reversed: 'The provider has taken this back already',
  money_decided: ({ reason }) => `Another user has decided on this already: ${reason}`,
  difference_closed: ({ reason }) => `This is closed already${reason ? `: ${reason}` : ''}`,
  balance_full: 'The balance has reached its maximum. Try again once it is lower',
  provider_refused: failure => `${failure.provider} refused it: ${reason(failure.reason)}`,
  provider_outcome_unknown: ({ provider }) =>
    `${provider} has not answered. Try again; the same order is not charged twice`,
  provider_created_nothing: ({ provider }) =>
    `${provider} has not answered. Try again; the same order is not charged twice`,
  provider_failed: failure => `${failure.provider} refused it: ${reason(failure.reason)}`,

  // Errors about items that were not found.
  payment_not_found: 'There is no such payment',
  tenant_not_found: 'There is no such tenant',
  api_key_not_found: 'There is no such API key',
  provider_not_found: 'There is no such provider',
  provider_account_not_found: 'There is no such provider account',
  api_request_not_found: 'There is no such request',
  webhook_event_not_found: 'There is no such event',
  provider_callback_not_found: 'There is no such callback',
  unexpected_money_not_found: 'There is no such record',
  difference_not_found: 'There is no such difference',
  ledger_not_sealed: 'The entries are not sealed yet. That takes about ten minutes',

  // Errors about single fields.
  required: 'must not be empty',
  type_wrong: ({ type }) => types[type] ?? 'must be a whole number',
  format_wrong: ({ format }) => formats[format] ?? 'has characters that are not allowed',
  empty: 'must not be empty',
  characters_too_few: ({ min }) => `must be at least ${plural(min, 'character')}`,
  characters_too_many: ({ max }) => `must be at most ${plural(max, 'character')}`,
  characters_not_exact: ({ exact }) => `must be exactly ${plural(exact, 'character')}`,
  items_too_few: ({ min }) => `must have at least ${plural(min, 'row')}`,
  items_too_many: ({ max }) => `must have at most ${plural(max, 'row')}`,
  items_not_exact: ({ exact }) => `must have exactly ${plural(exact, 'row')}`,
  number_too_small: ({ min }, { count }) => `must be at least ${count(min)}`,
  number_too_large: ({ max }, { count }) =>
    max >= 1e11 ? 'this is too much' : `must be at most ${count(max)}`,
  number_not_above: ({ min }, { count }) => `must be more than ${count(min)}`,
  number_not_below: ({ max }, { count }) => `must be less than ${count(max)}`,
  not_multiple: ({ of }, { count }) => `must be a multiple of ${count(of)}`,
  value_wrong: 'this is not one of the choices',
  value_not_listed: 'this is not one of the choices',
  fields_unknown: ({ fields }) => `has unknown fields: ${fields.join(', ')}`,
  name_not_allowed: 'has a name that is not allowed',
  form_not_allowed: 'this value is not allowed',
  text_malformed: 'has characters that are not allowed',
  moment_malformed: 'must be a date',
  amount_not_positive: 'enter an amount above zero',
  currency_unsupported: 'only rupiah is supported',
  channel_needed: 'this is not one of the choices',
  method_mismatched: 'this is not one of the choices',
  whole_number_out_of_range: ({ min, max }, { count }) =>
    max >= 1e11
      ? `must be a whole number, at least ${count(min)}`
      : `must be a whole number from ${count(min)} to ${count(max)}`,
  limit_out_of_range: ({ min, max }, { count }) =>
    `must be a whole number from ${count(min)} to ${count(max)}, or empty`,
  max_below_min: 'must not be below the lower bound',
  reason_needed: ({ keptWith }) => `enter a reason; it is stored with the ${keptWith}`,
  payment_id_malformed: 'must be the UUID or the code of a payment',
  network_malformed: ({ example }) =>
    `must be an IPv4 or IPv6 address, or a network in CIDR notation such as ${example}`,
  url_not_plain: 'must be an http or https URL without user, query or fragment',
  url_with_credentials: 'must not contain a user name or password',
  return_url_malformed: 'must be a URL',
  return_url_insecure: 'must begin with https://',
  groups_unknown: 'this is not one of the choices',
  cursor_stale: 'This list has changed. Load it again',
  digits_expected: ({ min, max }) => `must be ${min === max ? min : `${min} to ${max}`} digits`,
  letters_and_digits_expected: 'must be letters and digits',
  terminal_id_malformed: ({ min, max }) => `must be ${min} to ${max} letters and digits`,
  rsa_key_expected: ({ form }) => `must be an RSA key, ${form}`,
  fields_needed_together: ({ fields }) => `enter all of these: ${fields.join(', ')}`,
  input_invalid: ({ what }) => what,
}
