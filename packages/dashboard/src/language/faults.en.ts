import type { FaultTexts } from './fault-catalogue.ts'

const busy = 'The service is busy. Try again in a moment'
const tooMany = 'Too many requests. Try again in a moment'

const types: Record<string, string> = { string: 'must not be empty', array: 'must be a list' }
const formats: Record<string, string> = {
  email: 'must be an email address',
  guid: 'must be a UUID',
  uuid: 'must be a UUID',
  url: 'must be a URL',
  date: 'must be a date',
  datetime: 'must be a date and a time',
  month: 'must be a month',
}

/** Formats a duration. A duration of less than two minutes is shown in seconds. */
const duration = (seconds: number): string =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`
const reason = (text: string): string => text.replace(/^refused: /, '')

export const faultTexts: FaultTexts = {
  // Authentication and permission errors.
  otp_required: 'Confirm the login with your second factor',
  second_factor_stale: 'Confirm your second factor, then try again',
  credential_missing: 'Log in first',
  scheme_unknown: 'Log in first',
  api_key_required: 'This action requires an API key',
  access_token_required: 'Log in first',
  api_key_invalid: 'This API key is invalid or revoked',
  access_token_invalid: 'Your session has ended. Log in again',
  login_challenge_invalid: 'This login has expired. Log in again',
  login_code_wrong: 'The code is wrong or was already used',
  login_failed: 'The email address or the password is wrong',
  refresh_token_invalid: 'Your session has ended. Log in again',
  tenant_suspended: 'This tenant is suspended',
  role_not_allowed: 'Your role does not allow this action',
  permission_missing: ({ needed }) =>
    `You need the permission ${needed.join(' or ')}. Ask an admin of your team`,
  second_factor_needed: 'Your team requires a second factor. Add one on the Security page',
  scope_missing: ({ needed }) => `This API key needs the scope ${needed.join(' or ')}`,
  scope_not_grantable: ({ scope, isUnrestricted, needed }) =>
    `${isUnrestricted ? `A key without scopes has the scope ${scope}. You need` : `For the scope ${scope}, you need`} the permission ${needed.join(' or ')}. Ask an admin of your team`,
  address_not_allowed: ({ address }) => `This API key cannot be used from the IP address ${address}`,
  session_key_limited: 'This action requires an API key that you created',
  session_of_another_site: 'Only the Gapura service’s pages can use your session',
  mode_of_other_key: 'This API key belongs to the other mode (live or test)',
  live_key_cannot_listen: 'This action requires a test key',
  reconciliation_for_owner: 'Only the Owner can request status inquiries from providers',
  login_delayed: ({ seconds }) => `Too many failed login attempts. Try again in ${duration(seconds)}`,
  invitations_exceeded: ({ most, seconds }) =>
    `${most} invitations were already sent to this email address. Try again in ${duration(seconds)}`,
  tenant_invitations_exceeded: ({ most, seconds }) =>
    `Your tenant already sent ${most} invitations in the last 30 minutes. Try again in ${duration(seconds)}`,
  partner_invitations_exceeded: ({ most, seconds }) =>
    `The Partner and its Clients together already sent ${most} invitations in the last 30 minutes. Try again in ${duration(seconds)}`,
  key_guesses_exceeded: 'Too many invalid API keys from your IP address. Try again in a moment',
  rate_exceeded: tooMany,

  // Errors about tenants, users, keys and provider accounts.
  partner_creates_clients_only: 'A Partner can create only Clients',
  partner_tier_exceeded: ({ tier }) => `The tier cannot be higher than your own tier, ${tier}`,
  partner_creates_below_itself: 'A Partner can create Clients only for itself',
  owner_created_on_server: 'An Owner can be created only on the server',
  tenant_managed_by_owner: 'Only the Owner can manage this tenant',
  tenant_suspended_by_owner:
    'The Owner suspended this tenant. Ask the operator of the service to reactivate it',
  tier_set_by_owner: 'only the Owner can change the tier',
  parent_not_partner: 'must be a Partner',
  parent_not_allowed: 'only a Client can belong to a Partner',
  password_wrong: 'the password is wrong',
  reset_token_invalid: 'this token is invalid, has expired or was already used. Request a new token',
  code_wrong: 'the code of the second factor is wrong or was already used',
  passkey_rejected: 'The passkey was not accepted. Try again',
  invitation_invalid: 'this invitation is invalid, has expired or was already used. Ask for a new invitation',
  previous_credentials_without_new: 'can be set only together with new credentials',
  notification_not_received: 'Users with your role and permissions do not get this email',
  provider_unknown: 'choose one of the available options',
  repeated_account: 'this account is already in the list',
  account_not_grantable: 'you cannot grant access to this account',
  account_not_entitled: 'the tenant has no access to this account',
  method_not_offered: ({ method, provider }) => `${provider} does not offer ${method}`,
  channel_not_offered: ({ channel, provider, offered }) =>
    `${provider} does not offer ${channel}; available: ${offered.join(', ')}`,
  url_malformed: 'must be a URL',
  url_not_https: 'must start with https://',
  url_names_private_address: 'must not be a private or reserved address',
  url_names_this_machine: 'must not point to this service’s server',
  own_tenant_suspended: 'You cannot suspend your own tenant',
  last_active_tenant: ({ role }) => `The last active ${role} cannot be suspended`,
  totp_enabled: 'An authenticator app is already enabled',
  totp_not_started: 'This setup has expired. Start again',
  totp_not_enabled: 'No authenticator app is enabled',
  second_factor_kept: 'You cannot remove your last second factor, because your team requires one',
  second_factor_missing: 'Add a second factor for yourself first',
  last_admin: 'The team needs at least one active admin. Make another user an admin first',
  user_not_active: 'A user who has not accepted the invitation cannot be disabled. Remove the user instead',
  user_not_invited: 'This user has already accepted an invitation',
  email_in_use: ({ email }) => `${email} is already in use`,
  api_key_revoked: 'This API key has been revoked',
  api_key_rotated: 'This API key has already been rotated',
  event_being_delivered: 'This webhook is still being delivered. Wait until its attempts have ended',
  callback_url_missing: 'No callback URL is set. Set a callback URL first',
  webhook_url_in_use: 'is already the URL of another webhook endpoint in this mode',
  too_many_webhook_endpoints: ({ most }) =>
    `You already have ${most} webhook endpoints, which is the maximum. Delete an endpoint first`,
  webhook_endpoint_disabled: 'This webhook endpoint is disabled. Enable it first',
  previous_secret_active: ({ until }, { time }) =>
    `The previous webhook secret is still in use. Wait until ${time(until)}, or revoke the previous secret`,
  too_many_webhook_secrets: ({ most, until }, { time }) =>
    `${plural(most, 'previous secret')} still sign webhooks. Wait until ${time(until)}, or revoke the previous secrets`,

  // Error messages about overload and about failures of the service or its database.
  own_requests_in_flight: 'Too many requests. Try again in a moment',
  own_work_at_capacity: ({ most, what }) =>
    `Only ${most} ${what} can run at a time. Wait until one of them has ended`,
  own_queue_at_capacity: tooMany,
  own_charges_at_capacity: 'Too many of your payments are waiting for the provider. Try again in a moment',
  key_repeats_at_capacity: 'This order is still being processed. Try again in a moment',
  own_repeats_at_capacity: 'Too many of your orders are still being processed. Try again in a moment',
  own_reads_at_capacity: 'Too many of your requests for large responses are waiting. Try again in a moment',
  responses_not_received: 'Too many responses are still being loaded. Try again in a moment',
  server_at_capacity: busy,
  work_at_capacity: busy,
  passwords_at_capacity: busy,
  charges_at_capacity: busy,
  repeats_at_capacity: busy,
  responses_at_capacity: busy,
  database_slow: busy,
  database_busy: 'Another request is changing this data. Try again',
  database_unreachable: 'The service cannot reach its database. Try again',
  data_damaged:
    'A stored record is damaged and cannot be read until the operator repairs the database. Try again later',
  storage_full: 'The service’s storage is full. Try again later',
  database_out_of_memory: busy,
  database_limit_reached: busy,
  balance_busy: 'Another payment is changing the balance. Try again',
  unexpected: 'Something went wrong in the service. Try again later',

  // Error messages about payments, fees, reports and received money.
  whole_rupiah_only: ({ provider, channel }) => `${provider} accepts only whole rupiah for ${channel}`,
  channel_amount_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} accepts at least ${money(min)} for ${channel}`,
  channel_amount_too_large: ({ provider, channel, max }, { money }) =>
    `${provider} accepts at most ${money(max)} for ${channel}`,
  channel_expiry_too_short: ({ provider, channel, min }, { count }) =>
    `the time to pay must be at least ${count(min)} minutes for ${channel} at ${provider}`,
  channel_expiry_too_long: ({ provider, channel, max }, { count }) =>
    `the time to pay must be at most ${count(max)} minutes for ${channel} at ${provider}`,
  mobile_number_needed: ({ provider, channel }) =>
    `${provider} requires the payer’s mobile number for ${channel}`,
  channel_not_enabled: ({ channel }) => `${channel} is not enabled`,
  fee_rule_repeated: 'another fee rule has the same method and channel',
  channel_unknown: ({ channel, offered }) =>
    `no provider offers ${channel}; available: ${offered.join(', ')}`,
  fee_below_cost: ({ amount, cost }, { money }) =>
    `the fee for a payment of ${money(amount)} is below your cost of ${money(cost)}`,
  return_url_not_https: 'must start with https:// for a live payment',
  period_ends_before_start: 'the last day must not be before the first day',
  period_too_long: ({ days }) => `the last day must be at most ${days} days after the first day`,
  period_sum_too_large: 'The total of the amounts in this period is too large. Choose fewer days',
  book_total_too_large: 'A total is too large to be shown exactly. Query the database instead',
  report_too_long: 'This report is too long. Choose fewer days',
  date_in_future: 'must not be in the future',
  amount_of_payment: 'can be set only for a refund or a chargeback',
  amount_reported: ({ amount }, { money }) => `must be ${money(amount)}, as reported by the provider`,
  amount_not_reported: 'enter the amount, because the provider did not report it',
  refund_exceeds_received: ({ received }, { money }) => `only ${money(received)} was received`,
  refund_not_whole: ({ received }, { money }) =>
    `must be the full amount, ${money(received)}, because this money was not credited`,
  idempotency_key_reused: 'This request was already sent with different details. Start again',
  idempotency_key_in_progress: 'This request is still being processed. Try again in a moment',
  transition_refused: 'The payment’s status does not allow this action',
  payment_not_confirmed:
    'The provider does not confirm that the money was received. You can credit the payment without confirmation',
  provider_silent: 'The provider did not respond. Try again, or credit the payment without confirmation',
  payment_paid_meanwhile:
    'The payment has just become paid, and its credit may already include this money. Compare the money with the provider’s statement. Then accept it again or refund it',
  received_was_refunded: 'The money received for this payment was refunded to the payer',
  outcome_known: 'The outcome of this payment is already known',
  payment_not_paid: 'The payment is not paid, so nothing can be debited',
  money_assigned:
    'This money already belongs to a payment, so you cannot assign it. Accept or refund the money',
  money_of_other_mode: 'The money and the payment are in different modes (live and test)',
  money_unassigned: 'This money belongs to no payment yet. Assign it to a payment first',
  money_not_dismissible: 'Only a refund, a chargeback or unconfirmed money can be dismissed',
  money_reversed: 'The provider has already taken this money back',
  money_returned: 'The provider has already refunded this money to the payer. Accept or dismiss the refund',
  money_unconfirmed: 'The provider has not confirmed this money. Accept or dismiss it',
  payment_reversed: 'The provider has already taken this money back',
  money_decided: ({ reason }) => `Another user has already decided what happens to this money: ${reason}`,
  difference_closed: ({ reason }) =>
    `This reconciliation difference is already closed${reason ? `: ${reason}` : ''}`,
  balance_full: 'The balance has reached its maximum. Try again once the balance is lower',
  provider_refused: failure => `${failure.provider} rejected the payment: ${reason(failure.reason)}`,
  provider_outcome_unknown: ({ provider }) =>
    `${provider} did not respond. Try again: the same order is not charged twice`,
  provider_created_nothing: ({ provider }) =>
    `${provider} did not respond. Try again: the same order is not charged twice`,
  provider_failed: failure => `${failure.provider} rejected the request: ${reason(failure.reason)}`,

  // Errors about refunds.
  refund_exceeds_left: ({ left }, { money }) =>
    left === 0 ? 'nothing is left to refund' : `at most ${money(left)} is left to refund`,
  refund_fraction: 'Enter whole rupiah, or all that is left to refund',
  refund_full_only: ({ provider, channel, amount }, { money }) =>
    `${provider} refunds ${channel} only in full: ${money(amount)}. For another amount, enter the payer’s bank account`,
  refunds_too_many: ({ provider, channel, max }) =>
    `${provider} allows at most ${plural(max, 'refund')} per payment by ${channel}. To refund more, enter the payer’s bank account`,
  refunds_of_payment_exceeded: ({ max }) =>
    `A payment can have at most ${plural(max, 'refund')}, including failed ones. Return the rest of the money yourself`,
  refund_too_late: ({ provider, channel, days }) =>
    `${provider} refunds ${channel} only within ${plural(days, 'day')} of the payment. Enter the payer’s bank account instead`,
  refund_outside_hours: ({ provider, channel, from, to }) =>
    `${provider} refunds ${channel} only from ${from} to ${to} WIB. Try again later`,
  refund_too_small: ({ provider, channel, min }, { money }) =>
    `${provider} refunds at least ${money(min)} for ${channel}`,
  bank_account_needed: ({ provider, channel }) =>
    `is required: ${provider} cannot refund ${channel}, so the operator transfers the money`,
  bank_account_for_assigned_money: ({ provider }) =>
    `is required: ${provider} received this money under another order reference, so the operator transfers the money`,
  bank_account_not_needed: ({ provider, channel }) =>
    `is not needed, because ${provider} can refund payments by ${channel}. Remove the bank account`,
  bank_account_without_payment:
    'is not needed, because this money belongs to no known payment. Return the money to the payer yourself',
  refund_reported_already:
    'is not needed, because no money is sent: the provider already reports a refund of this amount, which waits for a decision',
  bank_reference_needed: 'enter the reference of your bank transfer',
  payment_not_refundable: 'Only a paid payment can be refunded',
  refund_not_pending: 'The outcome of this refund is already known',
  refund_of_provider: ({ name }) =>
    `This ${name} was made at the provider, so you cannot record its outcome. Wait until the provider reports the outcome`,
  chargeback_of_other_order:
    'The provider cannot confirm that the merchant won this chargeback, because the chargeback concerns a different order from the one that the payer paid',
  chargeback_still_listed: ({ provider }) =>
    `${provider} still reports this chargeback, so it cannot be recorded as won`,
  chargeback_unconfirmed: ({ provider }) =>
    `${provider} did not confirm that the order is paid and has no chargeback. Try again later`,
  chargeback_reported_again: 'The provider reported this chargeback again in the meantime. Try again',
  refund_in_progress: ({ until }, { time }) =>
    `The provider may still be making this refund. You can record its outcome only after ${time(until)}`,
  balance_too_low: ({ balance }, { money }) => `Your balance of ${money(balance)} does not cover this refund`,
  balance_too_low_for_refund: 'Your balance no longer covers this refund',
  refund_not_found: 'Refund not found',

  // Errors about items that were not found.
  payment_not_found: 'Payment not found',
  tenant_not_found: 'Tenant not found',
  api_key_not_found: 'API key not found',
  user_not_found: 'This user does not exist',
  passkey_not_found: 'This passkey no longer exists',
  session_not_found: 'This session has already ended',
  provider_not_found: 'Provider not found',
  settlement_not_found: 'No settlement was uploaded for this day',
  provider_account_not_found: 'Provider account not found',
  api_request_not_found: 'Request not found',
  webhook_endpoint_not_found: 'Endpoint not found',
  webhook_event_not_found: 'Event not found',
  provider_callback_not_found: 'Callback not found',
  unexpected_money_not_found: 'Record not found',
  difference_not_found: 'Difference not found',
  ledger_not_sealed:
    'No ledger entry has been sealed with a hash yet. Entries are sealed within about ten minutes',

  // Errors about single input fields.
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
    max >= 1e11 ? 'this number is too large. Enter a smaller number' : `must be at most ${count(max)}`,
  number_not_above: ({ min }, { count }) => `must be more than ${count(min)}`,
  number_not_below: ({ max }, { count }) => `must be less than ${count(max)}`,
  not_multiple: ({ of }, { count }) => `must be a multiple of ${count(of)}`,
  value_wrong: 'choose one of the available options',
  value_not_listed: 'choose one of the available options',
  name_not_allowed: 'has a name that is not allowed',
  form_not_allowed: 'this value is not allowed',
  text_malformed: 'has characters that are not allowed',
  moment_malformed: 'must be a date',
  amount_not_positive: 'must be more than zero',
  currency_unsupported: 'must be IDR, the only supported currency',
  channel_needed: 'choose one of the available options',
  method_mismatched: 'choose one of the available options',
  whole_number_out_of_range: ({ min, max }, { count }) =>
    max >= 1e11
      ? `must be a whole number, at least ${count(min)}`
      : `must be a whole number from ${count(min)} to ${count(max)}`,
  limit_out_of_range: ({ min, max }, { count }) =>
    `must be a whole number from ${count(min)} to ${count(max)}, or empty`,
  max_below_min: 'the maximum must not be less than the minimum',
  one_payer_needed: 'enter exactly one of payment, email address and phone number',
  phone_number_expected: ({ min }) => `must be a phone number with at least ${min} digits`,
  reason_needed: ({ keptWith }) => `enter a reason, which is stored with the ${keptWith}`,
  payment_id_malformed: 'must be a payment ID or a payment code',
  network_malformed: ({ example }) =>
    `must be an IPv4 or IPv6 address, or a network in CIDR notation such as ${example}`,
  url_not_plain: 'must be an http or https URL without a user name, query or fragment',
  url_with_credentials: 'must not contain a user name or password',
  return_url_malformed: 'must be a URL',
  return_url_insecure: 'must start with https://',
  groups_unknown: 'choose one of the available options',
  cursor_stale: 'This list has changed. Reload the list',
  digits_expected: ({ min, max }) => `must be ${min === max ? min : `${min} to ${max}`} digits`,
  letters_and_digits_expected: 'must contain only letters and digits',
  terminal_id_malformed: ({ min, max }) => `must be ${min} to ${max} letters and digits`,
  rsa_key_expected: ({ form }) => `must be an RSA key, ${form}`,
  fields_needed_together: ({ fields }) => `enter all of these fields: ${fields.join(', ')}`,
  color_malformed: 'must be a color such as #0f766e',
  logo_too_heavy: ({ max }) => `must be a file of at most ${max} kB. Save the image with a smaller file size`,

  // Errors about the branding.
  color_too_light: ({ ratio, min }, { count }) =>
    `is too light for white text. The contrast is ${count(ratio)}:1, but must be at least ${count(min)}:1. Choose a darker color`,
  logo_not_picture: 'must be a PNG, JPEG or WebP picture',
  logo_type_differs: ({ declared, found }) =>
    `the file name ends with the extension for ${declared}, but the image is ${found}. Correct the file extension`,
  logo_damaged: 'is not a complete picture. Export it again from its program',
  logo_animated: 'must not be an animated picture',
  logo_too_large: ({ width, height, max }) =>
    `must be at most ${max} × ${max} pixels, but is ${width} × ${height}. Reduce the image size`,

  input_invalid: ({ what }) => what,
}
