// Faults (errors that are returned to callers) that requests from the dashboard never cause, so they are not
// translated. These faults concern malformed HTTP requests and endpoints that only other programs call.

import { withCode } from './with-code.ts'

type Detail = { detail: string }
type InFile = { line: number; what: string }

export const untranslatedFaults = {
  ...withCode('BAD_REQUEST', {
    request_unfinished: () => 'the request did not arrive completely in time',
    not_http: () => 'the request is not valid HTTP',
    host_not_single: () => 'exactly one header is required',
    body_ended_early: () => 'ended early',
    body_too_slow: ({ firstSeconds, wholeSeconds }: Record<'firstSeconds' | 'wholeSeconds', number>) =>
      `arrived too slowly; the first byte is due within ${firstSeconds} seconds, the whole body within ${wholeSeconds}`,
    body_not_object: () => 'must be a JSON object',
    body_not_utf8: () => 'is not valid UTF-8',
    body_not_json: () => 'is not valid JSON',
    body_too_deep: ({ most }: { most: number }) => `is nested deeper than ${most} levels`,
    body_repeats_key: ({ key }: { key: string }) => `has an object with the key ${key} twice`,
    connection_closed: () => 'the connection was closed before the response',
    call_malformed: ({ detail }: Detail) => detail,
    idempotency_key_needed: () => 'is required: 1 to 255 visible ASCII characters, unique for each order',
    idempotency_key_invalid: () => 'must be 1 to 255 visible ASCII characters',
    cursor_invalid: () => 'is invalid; pass next_cursor back unchanged',
    cursor_of_other_order: ({ order }: { order: string }) =>
      `was issued with order=${order}; pass the same order, or restart without a cursor`,
    listen_cursor_invalid: () => 'is invalid; pass the cursor of the previous response back unchanged',
    settlement_line_invalid: ({ line, what }: InFile) => `line ${line}: ${what}`,
    settlement_value_invalid: ({ line, column, what }: InFile & { column: string }) =>
      `line ${line}, column ${column}: ${what}`,
  }),
  ...withCode('UNAUTHORIZED', {
    callback_refused: ({ reason }: { reason: string }) => `callback refused: ${reason}`,
  }),
  ...withCode('NOT_FOUND', {
    route_not_found: ({ path }: { path: string }) => `route ${path} not found`,
    qr_code_not_found: ({ code }: { code: string }) => `QR code ${code} not found`,
    ledger_statement_not_found: () => 'the ledger has no signed statement yet',
    account_of_provider_not_found: ({ id, provider }: { id: string; provider: string }) =>
      `provider account ${id} of ${provider} not found`,
    call_not_found: ({ detail }: Detail) => detail,
  }),
  ...withCode('METHOD_NOT_ALLOWED', {
    method_not_allowed: ({ method, path, allow }: Record<'method' | 'path' | 'allow', string>) =>
      `${path} does not support ${method}; use ${allow}`,
    call_method_not_allowed: ({ detail }: Detail) => detail,
  }),
  ...withCode('PAYLOAD_TOO_LARGE', {
    body_too_large: ({ kib }: { kib: number }) => `the body exceeds ${kib} KiB`,
    headers_too_large: () => 'the headers are too large',
    call_too_large: ({ detail }: Detail) => detail,
  }),
  ...withCode('UNSUPPORTED_MEDIA_TYPE', {
    body_type_wrong: ({ type }: { type: string }) => `send the body as ${type}`,
    body_compressed: () => 'send the body without Content-Encoding',
    upload_needed: () => 'send the settlement file as the body of a PUT request',
    call_not_json: () => 'send JSON, with Content-Type: application/json',
    call_type_wrong: ({ detail }: Detail) => detail,
  }),
  ...withCode('RATE_LIMITED', {
    own_bodies_waiting: () =>
      'too many of your requests are waiting for the rest of their body; the request was not processed, retry',
    connection_requests_waiting: ({ most }: { most: number }) =>
      `more than ${most} requests are waiting for their responses on this connection; the request was not processed, retry`,
  }),
  ...withCode('SERVICE_UNAVAILABLE', {
    dashboard_not_built: () => 'the dashboard is not built; run `npm run build`, then reload the page',
  }),
}
