import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { failureOf, ownReasons } from './failure-words.ts'

test('if a payment failed because of a wrong amount, the dashboard reads both amounts from the failure reason', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('if the provider reported a failure, the dashboard reads the provider’s status from the failure reason', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('the dashboard translates reasons that the service itself records, exactly as the service writes them', () => {
  expect(failureOf('could not be reached')).toEqual({ kind: 'own', name: 'unreachable' })
  const server = new URL('../../../server/src/', import.meta.url).pathname
  const sources = globSync('**/*.ts', { cwd: server })
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(server + file, 'utf8'))
    .join('\n')
    // The timeout in seconds is computed.
    .replace(/\$\{PROVIDER_TIMEOUT_MS \/ 1000\}/, '10')
  expect(ownReasons.filter(reason => !sources.includes(reason))).toEqual([])
})

test('the dashboard shows an unknown failure reason unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
