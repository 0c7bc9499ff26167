// Faults that no page of the dashboard can cause over tRPC: malformed HTTP, and endpoints that only other programs call.
// The dashboard has no texts for them.

import { under } from './under.ts'

type Detail = { detail: string }
type InFile = { line: number; what: string }

export const untranslatedFaults = {
  ...under('BAD_REQUEST', {
    request_unfinished: () => 'the request did not come to its end in time',
    not_http: () => 'this is not HTTP',
    host_not_single: () => 'exactly one header is required',
    body_ended_early: () => 'ended early',
    body_too_slow: ({ firstSeconds, wholeSeconds }: Record<'firstSeconds' | 'wholeSeconds', number>) =>
      `came too slowly; the first byte has ${firstSeconds} seconds and the whole ${wholeSeconds}`,
    body_not_object: () => 'must be a JSON object',
    body_not_utf8: () => 'is not valid UTF-8',
    body_not_json: () => 'is not valid JSON',
    body_too_deep: ({ most }: { most: number }) => `is nested deeper than ${most} levels`,
    body_repeats_key: ({ key }: { key: string }) => `has the key ${key} twice in one object`,
    connection_closed: () => 'the connection ended before the answer',
    call_malformed: ({ detail }: Detail) => detail,
    idempotency_key_needed: () => 'is needed, 1 to 255 visible ASCII characters, one for each order',
    cursor_invalid: () => 'is none; send next_cursor as it came',
    listen_cursor_invalid: () => 'is none; send the one of the answer before as it came',
    settlement_line_invalid: ({ line, what }: InFile) => `line ${line}: ${what}`,
    settlement_value_invalid: ({ line, column, what }: InFile & { column: string }) =>
      `line ${line}, column ${column}: ${what}`,
  }),
  ...under('UNAUTHORIZED', {
    callback_refused: ({ reason }: { reason: string }) => `callback refused: ${reason}`,
  }),
  ...under('NOT_FOUND', {
    route_not_found: ({ path }: { path: string }) => `route ${path} not found`,
    qr_code_not_found: ({ code }: { code: string }) => `QR code ${code} not found`,
    ledger_statement_not_found: () => 'there is no statement about the ledger yet',
    account_of_provider_not_found: ({ id, provider }: { id: string; provider: string }) =>
      `provider account ${id} of ${provider} not found`,
    call_not_found: ({ detail }: Detail) => detail,
  }),
  ...under('METHOD_NOT_ALLOWED', {
    method_not_allowed: ({ method, path, allow }: Record<'method' | 'path' | 'allow', string>) =>
      `${method} ${path}; it takes ${allow}`,
    call_method_not_allowed: ({ detail }: Detail) => detail,
  }),
  ...under('PAYLOAD_TOO_LARGE', {
    body_too_large: ({ kib }: { kib: number }) => `the body exceeds ${kib} KiB`,
    headers_too_large: () => 'the headers are too large',
    call_too_large: ({ detail }: Detail) => detail,
  }),
  ...under('UNSUPPORTED_MEDIA_TYPE', {
    body_type_wrong: ({ type }: { type: string }) => `send the body as ${type}`,
    body_compressed: () => 'send the body without Content-Encoding',
    upload_needed: () => 'send the file as the body of a PUT',
    call_not_json: () => 'send JSON, with Content-Type: application/json',
    call_type_wrong: ({ detail }: Detail) => detail,
  }),
  ...under('RATE_LIMITED', {
    own_bodies_waiting: () =>
      'too many of your requests wait for the rest of their body; nothing was done, try again',
    connection_requests_waiting: ({ most }: { most: number }) =>
      `more than ${most} requests of one connection wait for their answers; nothing was done, try again`,
  }),
  ...under('SERVICE_UNAVAILABLE', {
    dashboard_not_built: () => 'the dashboard is not built here; run `npm run build`, and load this again',
  }),
}
