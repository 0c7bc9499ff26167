import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failureOf, ownReasons } from './failure-words.ts'

test('the dashboard extracts the expected and the received amount from the reason of a wrong-amount failure', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('the dashboard extracts the provider’s status from the reason of a failure that the provider reported', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

const server = join(import.meta.dirname, '../../../server/src')
const { PROVIDER_TIMEOUT_MS } = await import(/* @vite-ignore */ join(server, 'providers/http-client.ts'))
/** The service's source code without comments, examples and tests. */
const sources = globSync('**/*.ts', { cwd: server })
  .filter(file => !/\.test\.ts$|^openapi\/|^callbacks\//.test(file))
  .map(file => readFileSync(join(server, file), 'utf8'))
  .join('\n')
  .replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  .replace(/example: '[^']*'/g, '')
  // In the source code, one failure reason contains an expression that computes a timeout. Replace this expression with
  // the timeout in seconds.
  .replace(/\$\{PROVIDER_TIMEOUT_MS \/ 1000\}/, String(PROVIDER_TIMEOUT_MS / 1000))

test('the dashboard translates only failure reasons that appear word for word in the service’s source code', () => {
  expect(failureOf('could not be reached')).toEqual({ kind: 'own', name: 'unreachable' })
  const isWritten = (reason: string) =>
    ["'", '"', '`'].some(quote => sources.includes(quote + reason + quote))
  expect(ownReasons.filter(reason => !isWritten(reason))).toEqual([])
})

test('the dashboard translates every fixed reason with which the service records a failure or an unknown outcome', () => {
  const text = /(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)/.source
  const places = [
    String.raw`new ProviderError\(\s*'(?:unknown|unavailable|declined)',\s*` + text,
    String.raw`(?:unknownRefund|refusedRefund)\(\s*` + text,
    String.raw`type: '(?:failed|rejected|challenged|not_created|unknown|outcome_unknown)',\s*reason: (?:reason \|\| )?` +
      text,
  ]
  const reasons = places.flatMap(place => {
    const found = [...sources.matchAll(new RegExp(place, 'g'))].map(([, ...texts]) => texts.find(Boolean))
    expect(found).not.toEqual([])
    return found
  })
  expect(reasons.filter(reason => failureOf(reason ?? '').kind === 'other')).toEqual([])
})

test('if a refund or chargeback was credited back because its amount was wrong, the dashboard translates the reason', () => {
  expect(failureOf('the provider later reported a different amount for this chargeback')).toEqual({
    ...{ kind: 'corrected', of: 'chargeback', id: undefined },
  })
  expect(failureOf('the provider reported this refund as f-1 with a different amount')).toEqual({
    ...{ kind: 'corrected', of: 'refund', id: 'f-1' },
  })
})

test('the dashboard shows an unknown failure reason unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
