// The errors returned to callers ("faults") when the service sheds load or a resource is unavailable. After
// any of these errors, a retry may succeed.

import { withCode } from './with-code.ts'

export const capacityFaults = {
  ...withCode('RATE_LIMITED', {
    own_requests_in_flight: ({ whose }: { whose: string }) =>
      `too many requests ${whose} are in flight; the request was not processed, retry once another has completed`,
    own_work_at_capacity: ({ most, what }: { most: number; what: string }) =>
      `you can run at most ${most} ${what} at a time; retry once one has completed`,
    own_queue_at_capacity: ({ what }: { what: string }) =>
      `too many ${what} are running or waiting; the request was not processed, retry`,
    own_charges_at_capacity: () =>
      'too many of your charges are waiting for the provider; the request was not processed, retry',
    key_repeats_at_capacity: ({ most }: { most: number }) =>
      `at most ${most} requests can wait for the first request with this X-Idempotency-Key; it is safe to retry with the same key`,
    own_repeats_at_capacity: ({ most }: { most: number }) =>
      `at most ${most} of your requests can wait for earlier requests with the same X-Idempotency-Key; it is safe to retry with the same key`,
    own_reads_at_capacity: () => 'too many of your requests for large responses are waiting; retry',
    responses_not_received: () =>
      'you have not read your previous responses completely; read them, then retry',
  }),
  ...withCode('SERVICE_UNAVAILABLE', {
    server_at_capacity: () => 'the server is at capacity; the request was not processed, retry',
    work_at_capacity: ({ what }: { what: string }) => `too many ${what} are running; retry`,
    passwords_at_capacity: ({ what }: { what: string }) => `${what}; try again`,
    charges_at_capacity: () =>
      'too many charges are waiting for the provider; the request was not processed, retry',
    repeats_at_capacity: () =>
      'too many requests are waiting for earlier requests with the same X-Idempotency-Key; it is safe to retry with the same key',
    responses_at_capacity: () => 'too many responses are waiting for clients to read them; retry',
    database_slow: () => 'the database is overloaded; the request was not processed, retry',
    database_busy: () => 'the resource is locked by another request; retry',
    database_unreachable: () => 'the database cannot be reached; try again',
    storage_full: () => 'storage is full; try again later',
    database_out_of_memory: () => 'the database is out of memory; try again',
    database_limit_reached: () => 'the database reached a limit of its configuration; try again',
    data_damaged: () =>
      'a stored record is damaged and cannot be read until the operator repairs the database; try again later',
    balance_busy: () => 'the balance is being changed by another request; retry',
  }),
  ...withCode('INTERNAL_ERROR', { unexpected: () => 'unexpected fault' }),
}
