import { text } from 'node:stream/consumers'
import { webhooks } from '@gapura/sdk'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { type Asked, aPayment, failure, ok, service } from '../test/service.ts'

const outages: [number, string][] = [
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
  [502, 'PROVIDER_ERROR'],
  [503, 'SERVICE_UNAVAILABLE'],
]
/**
 * The number of failed attempts after which the SDK stops retrying a call. The CLI must then handle the error
 * itself.
 */
const ATTEMPTS = 3

const createAndWait = [
  ...['payments', 'create', '--wait'],
  ...['--method', 'virtual_account', '--channel', 'BCA', '--rupiah', '100000'],
]

/** Returns a function that returns true for the first `times` calls. */
const first = (times: number) => () => times-- > 0

test.each(outages)(
  'payments create --wait keeps waiting while the service returns %i',
  async (status, code) => {
    const isOut = first(ATTEMPTS)
    const { baseUrl } = await service(({ method }) => {
      if (method === 'POST') return ok(aPayment)
      if (isOut()) return failure(status, code, 'try again')
      return ok({
        ...aPayment,
        status: 'paid',
        amount_paid: aPayment.amount,
        paid_at: '2026-11-20T03:14:05.678Z',
      })
    })
    const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' }
    const { exitCode, stdout, stderr } = await newHome().gapura([...createAndWait, '--json'], { env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout).status).toBe('paid')
  },
)

test('during an outage, payments create --wait polls the payment only after the time in Retry-After', async () => {
  // The service requests a wait of two minutes. The SDK does not retry if it would have to wait for more than
  // a minute, so the CLI itself waits.
  const { baseUrl, asked } = await service(({ method }) =>
    method === 'POST'
      ? ok(aPayment)
      : { ...failure(503, 'SERVICE_UNAVAILABLE', 'try again'), headers: { 'retry-after': '120' } },
  )
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' }
  const child = newHome().start(createAndWait, env)
  const reads = () => asked.filter(({ method }) => method === 'GET').length
  await expect.poll(reads).toBe(1)
  await new Promise(resolve => setTimeout(resolve, 2_500))
  expect([reads(), child.exitCode]).toEqual([1, null])
})

test('payments create --wait ends with the error if the credential is rejected', async () => {
  const { baseUrl } = await service(({ method }) =>
    method === 'POST' ? ok(aPayment) : failure(403, 'FORBIDDEN', 'forbidden'),
  )
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' }
  expect((await newHome().gapura(createAndWait, { env })).exitCode).toBe(1)
})

test('webhooks listen shows every event once, even if the service is temporarily unavailable', async () => {
  const secret = `whsec_${btoa('x'.repeat(32))}`
  const events = await Promise.all(
    ['a', 'b'].map(async id => {
      const body = JSON.stringify({ id, type: 'webhook.test', mode: 'test', data: { message: 'hello' } })
      return { id, headers: await webhooks.sign(body, secret), body }
    }),
  )
  const [isOut, hasNoSecret] = [first(ATTEMPTS), first(ATTEMPTS)]
  const cursors: (string | null)[] = []
  const { baseUrl } = await service(({ path }: Asked) => {
    const url = new URL(path, 'http://service')
    if (!url.pathname.endsWith('/events'))
      return hasNoSecret() ? failure(503, 'SERVICE_UNAVAILABLE', 'busy') : ok({ callback_url: null, secret })
    const cursor = url.searchParams.get('cursor')
    cursors.push(cursor)
    if (cursor === null) return ok({ cursor: '0', events: [] })
    return isOut() ? failure(503, 'SERVICE_UNAVAILABLE', 'busy') : ok({ cursor: '1', events })
  })
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const { exitCode, stdout, stderr } = await newHome().gapura(
    ['webhooks', 'listen', '--count', '2', '--json'],
    { env },
  )
  expect(exitCode).toBe(0)
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).id),
  ).toEqual(['a', 'b'])
  expect(stderr.match(/still listening/g)).toHaveLength(2)
  expect(new Set(cursors)).toEqual(new Set([null, '0']))
})

test('logs tail keeps waiting while the service is unavailable', async () => {
  let reads = 0
  let isOut = false
  const { baseUrl } = await service(() => {
    reads++
    return isOut ? failure(503, 'SERVICE_UNAVAILABLE', 'busy') : ok({ items: [], next_cursor: null })
  })
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' }
  const child = newHome().start(['logs', 'tail'], env)
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const stdout = text(child.stdout)
  await expect.poll(() => reads).toBeGreaterThanOrEqual(2)
  isOut = true
  await expect.poll(() => stderr).toContain('still waiting')
  isOut = false
  const before = reads
  await expect.poll(() => reads).toBeGreaterThan(before + 2)
  child.kill('SIGINT')
  expect(await stdout).toBe('')
})
