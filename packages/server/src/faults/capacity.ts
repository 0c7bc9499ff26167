// Load shedding and unavailable resources. A retry may succeed.

import { under } from './under.ts'

export const capacityFaults = {
  ...under('RATE_LIMITED', {
    own_requests_in_flight: ({ whose }: { whose: string }) =>
      `too many requests of ${whose} are in flight; nothing was done, try again once one of them is answered`,
    own_work_at_capacity: ({ most, what }: { most: number; what: string }) =>
      `at most ${most} ${what} of yours at a time; try again`,
    own_charges_at_capacity: () =>
      'too many charges of yours are waiting for the provider; nothing was done, try again',
    own_reads_at_capacity: () => 'too many of your reads of large answers wait for their turn; try again',
    responses_not_received: () => 'you have not taken your last answers yet; try again',
  }),
  ...under('SERVICE_UNAVAILABLE', {
    server_at_capacity: () => 'the server is at capacity; nothing was done, try again',
    work_at_capacity: ({ what }: { what: string }) => `too many ${what} at a time; try again`,
    passwords_at_capacity: ({ what }: { what: string }) => `${what}; try again`,
    charges_at_capacity: () => 'too many charges are waiting for the provider; nothing was done, try again',
    database_slow: () => 'the database does not keep up; nothing was done, try again',
    database_busy: () => 'what it needs is in use just now; try again',
    database_unreachable: () => 'the database cannot be reached; try again',
    storage_full: () => 'storage is full; try again later',
    database_out_of_memory: () => 'the database is out of memory; try again',
    database_limit_reached: () => 'the database reached a limit of its configuration; try again',
    balance_busy: () => 'the balance is being posted to; retry',
  }),
  ...under('INTERNAL_ERROR', { unexpected: () => 'unexpected fault' }),
}
