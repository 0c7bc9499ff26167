import { expect, test } from 'vitest'
import { gatewayErrorOf } from './trpc.ts'

test.each([
  ['a deadlock', '40P01', 'deadlock detected'],
  ['a split of its shard by Citus', '40001', 'shard for the given value does not exist'],
  ['a split of the shard that it reads', 'XX000', 'could not find valid entry for shard 102474'],
])(
  'if the database aborts a statement because of %s, the error asks the client to retry the request after one second',
  (_, code, message) => {
    const error = gatewayErrorOf(Object.assign(new Error(message), { code }))
    expect([error.message, error.retryAfterSeconds]).toEqual([
      'service unavailable: the resource is locked by another request; retry',
      1,
    ])
  },
)
