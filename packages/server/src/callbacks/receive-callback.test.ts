import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { noCallbackRules, now } from '../../test/support/make.ts'
import { createLog, currentLogFields, withLogFields } from '../logging/log.ts'
import type { CallbackRules } from '../provider-accounts/load-account.ts'
import { insertProviderAccount } from '../provider-accounts/provider-account.sql.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import type { AnyProvider, CallbackReading, Verification } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { updateCallbacks } from './callback.sql.ts'
import { digestOf } from './callback-message.ts'
import { callbackMetrics } from './callback-metrics.ts'
import { callbackReceiver } from './receive-callback.ts'
import { insertUnreadable } from './unreadable-callback.sql.ts'

const { db } = await testDatabase()
const accountId = newId()
const receive = callbackReceiver({
  db,
  clock: () => now,
  log: createLog('silent'),
  accountOf: async id => ({
    provider: midtrans,
    account: { id, mode: 'live', credentials: { server_key: 'secret' }, baseUrl: null },
    callbackRules: noCallbackRules,
  }),
})

function callback(headers: Record<string, string> = {}, padding = '') {
  const fields = { order_id: newId(), status_code: '200', gross_amount: '100000.00' }
  const signature_key = signatureOf(fields, 'secret')
  const rest = { transaction_id: 't-1', transaction_status: 'settlement', payment_type: 'bank_transfer' }
  const body = Buffer.from(JSON.stringify({ ...fields, ...rest, signature_key, padding }))
  return { path: '/v1/callbacks/midtrans', headers, body }
}
type Called = ReturnType<typeof callback>
const received = (called: Called) => receive('midtrans', accountId, { ...called, clientAddress: '192.0.2.1' })

/** Returns the stored callbacks, in the order in which they were sent. */
async function keptOf(calls: Called[]) {
  const { rows } = await db.raw<{ rows: { id: string; body: Buffer; job: string }[] }>(
    'select id, body, job from provider_callbacks where body = any(?)',
    [calls.map(({ body }) => body)],
  )
  return calls.map(({ body }) => rows.find(row => row.body.equals(body)))
}
async function payloadOf(job: string | undefined) {
  const { rows } = await db.raw<{ rows: { payload: unknown }[] }>(
    `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where j.key = ? and t.identifier = 'apply_callbacks'`,
    [job ?? null],
  )
  return rows[0]?.payload
}

test('callbacks that arrive at the same time are stored unchanged and share one job', async () => {
  const calls = Array.from({ length: 7 }, (_, n) => callback({ 'x-number': `${n}` }))
  const replies = await Promise.all(calls.map(received))
  expect(replies).toEqual(
    calls.map(() => ({ status: 200, contentType: 'application/json', body: '{"status":"ok"}' })),
  )
  const kept = await keptOf(calls)
  expect(new Set(kept.map(row => row?.job)).size).toBe(1)
  expect(await payloadOf(kept[0]?.job)).toEqual({ callback_ids: kept.map(row => row?.id) })
})

test('large callbacks received together are stored by several statements of at most two megabytes each', async () => {
  const calls = Array.from({ length: 20 }, () => callback({}, 'x'.repeat(200_000)))
  await Promise.all(calls.map(received))
  const kept = await keptOf(calls)
  const sizes = [...Map.groupBy(kept, row => row?.job).values()].map(rows =>
    rows.reduce((sum, row) => sum + (row?.body.length ?? 0), 0),
  )
  expect(sizes).toHaveLength(2)
  for (const size of sizes) expect(size).toBeLessThanOrEqual(2 * 1024 * 1024)
})

test('a callback that the database rejects gets an error response without affecting its batch', async () => {
  const calls = [callback(), callback({ 'x-odd': 'a\0b' }), callback()]
  const answers = await Promise.allSettled(calls.map(received))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const [first, odd, last] = await keptOf(calls)
  expect(odd).toBeUndefined()
  expect(await payloadOf(first?.job)).toEqual({ callback_ids: [first?.id] })
  expect(await payloadOf(last?.job)).toEqual({ callback_ids: [last?.id] })
})

test('during a flood of forged callbacks, a genuine callback is stored, but only a few forged ones', async () => {
  const account = { id: accountId, providerCode: 'midtrans', mode: 'live' as const, name: 'Midtrans' }
  await insertProviderAccount(db, {
    ...account,
    credentialsSealed: 'sealed',
    baseUrl: null,
    enabled: true,
    callbackSources: [],
    inquireAbove: null,
  })
  const forged = [...Array(50)].map(() => {
    const called = callback()
    return { ...called, body: Buffer.from(called.body.toString().replace('100000.00', '900000.00')) }
  })
  const genuine = callback()
  const [response, ...refusals] = await Promise.allSettled([genuine, ...forged].map(received))
  expect(response?.status).toBe('fulfilled')
  for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { code: 'UNAUTHORIZED' } })
  expect(await keptOf([genuine])).not.toContain(undefined)
  const { rows } = await db.raw('select from rejected_callbacks where provider_account_id = ?', [accountId])
  expect(rows).toHaveLength(4)
})

test('[M18] a callback is acknowledged only after it is committed', async () => {
  const calls = [callback(), callback()]
  const tx = await db.transaction()
  await tx.raw('lock table provider_callbacks in share mode')
  let answered = 0
  const answers = calls.map(call =>
    received(call).finally(() => {
      answered += 1
    }),
  )
  // Returns the number of statements waiting for a lock.
  const waiting = async () =>
    (
      await db.raw(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length
  while ((await waiting()) === 0);
  expect(answered).toBe(0)
  await tx.rollback()
  await Promise.all(answers)
  expect(await keptOf(calls)).not.toContain(undefined)
})

describe('the service receives callbacks for a provider account', () => {
  const account = { id: newId(), mode: 'live' as const, credentials: {}, baseUrl: null }
  const acknowledgement = { contentType: 'text/plain', body: 'OK' }
  let verification: Verification
  let reading: CallbackReading
  let rules: CallbackRules
  let provider: Partial<AnyProvider>
  const log = createLog('silent')
  beforeEach(async () => {
    verification = { verified: true }
    reading = { updates: [], acknowledgement }
    rules = noCallbackRules
    provider = {}
    vi.restoreAllMocks()
    for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(log, level)
    account.id = newId()
    await insertAccount(account.id)
  })
  const insertAccount = (id: string) =>
    insertProviderAccount(db, {
      ...{ id, providerCode: 'midtrans', mode: 'live', name: id, credentialsSealed: 'sealed', baseUrl: null },
      ...{ enabled: true, callbackSources: [], inquireAbove: null },
    })
  const call = callbackReceiver({
    db,
    clock: () => now,
    log,
    accountOf: async id =>
      id === account.id
        ? {
            provider: {
              ...midtrans,
              verifyCallback: () => verification,
              readCallback: () => reading,
              ...provider,
            } as AnyProvider,
            account,
            callbackRules: rules,
          }
        : undefined,
  })
  const receiveAs = (
    body: string,
    {
      headers = {},
      path = '/v1/callbacks',
      clientAddress = '192.0.2.1',
      code = 'midtrans',
      id = account.id,
    } = {},
  ) => call(code, id, { path, headers, clientAddress, body: Buffer.from(body) })
  const stored = async () =>
    (
      await db.raw(
        'select id, path, headers, body, received_at, provider from provider_callbacks where provider_account_id = ?',
        [account.id],
      )
    ).rows
  const refused = async () =>
    (
      await db.raw(
        'select reason, path, headers, body from rejected_callbacks where provider_account_id = ?',
        [account.id],
      )
    ).rows
  const counted = async (outcome: string) =>
    (await callbackMetrics.received.get()).values.find(
      ({ labels }) => labels.provider === 'midtrans' && labels.outcome === outcome,
    )?.value ?? 0

  test("a verified callback is stored without credentials and acknowledged in its provider's format", async () => {
    provider = { secretHeaders: ['x-callback-token'] }
    const before = await counted('kept')
    const headers = { 'x-callback-token': 'secret', authorization: 'signature', 'x-other': 'a' }
    expect(await receiveAs('body', { headers })).toEqual({ status: 200, ...acknowledgement })
    expect(await stored()).toMatchObject([
      {
        ...{ path: '/v1/callbacks', provider: 'midtrans', received_at: now, body: Buffer.from('body') },
        headers: { 'x-callback-token': '[redacted]', authorization: 'signature', 'x-other': 'a' },
      },
    ])
    expect(await counted('kept')).toBe(before + 1)
  })

  test("a callback request's log entry contains the stored callback's ID", async () => {
    const fields = await withLogFields({}, async () => {
      await receiveAs('body')
      return currentLogFields()
    })
    expect(fields).toEqual({ provider: 'midtrans', callbackId: (await stored())[0].id })
  })

  test('a provider request without a report, such as a token request, is not stored', async () => {
    verification = { verified: true, reply: { contentType: 'application/json', body: '{"accessToken":"t"}' } }
    const before = await counted('answered')
    expect(await receiveAs('body')).toEqual({ status: 200, ...verification.reply })
    expect(await stored()).toEqual([])
    expect(await counted('answered')).toBe(before + 1)
  })

  test('a callback for a nonexistent provider account is rejected and not stored', async () => {
    for (const [code, id] of [
      ['midtrans', newId()],
      ['xendit', account.id],
    ] as const)
      await expect(receiveAs('body', { code, id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(`${id} of ${code}`),
      })
    expect(await stored()).toEqual([])
    expect(await refused()).toEqual([])
  })

  test('a callback that fails verification is stored separately, without credentials and with a truncated path', async () => {
    verification = { verified: false, reason: 'signature is wrong' }
    provider = { secretHeaders: ['x-callback-token'] }
    const before = await counted('rejected')
    const headers = {
      ...{ 'x-callback-token': 'a', authorization: 'b', cookie: 'c', 'proxy-authorization': 'd' },
      ...{ 'x-api-key': 'e', 'user-agent': 'forger' },
    }
    const path = `/${'p'.repeat(600)}`
    await expect(receiveAs('body', { headers, path })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('callback refused: signature is wrong'),
    })
    expect(await stored()).toEqual([])
    expect(await refused()).toEqual([
      {
        ...{ reason: 'signature is wrong', path: path.slice(0, 512), body: Buffer.from('body') },
        headers: {
          ...Object.fromEntries(Object.keys(headers).map(name => [name, '[redacted]'])),
          'user-agent': 'forger',
        },
      },
    ])
    expect(await counted('rejected')).toBe(before + 1)
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { provider: 'midtrans', providerAccountId: account.id, reason: 'signature is wrong' },
      'callback rejected',
    )
  })

  test('a callback from an IP address outside the allow list is rejected even if its signature is valid', async () => {
    rules = { ...noCallbackRules, callbackSources: ['198.51.100.0/24'] }
    await expect(receiveAs('body')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await refused()).toMatchObject([
      { reason: 'callbacks of this account are not accepted from 192.0.2.1' },
    ])
    expect(await receiveAs('body', { clientAddress: '198.51.100.7' })).toMatchObject({ status: 200 })
    expect(await stored()).toHaveLength(1)
  })

  test('a rejected callback does not prevent the next one from being stored', async () => {
    verification = { verified: false, reason: 'signature is wrong' }
    for (let n = 0; n < 6; n++) await expect(receiveAs(`${n}`)).rejects.toThrow()
    expect(await refused()).toHaveLength(6)
  })

  test('a callback verified with replaced credentials is stored, and a log entry reports this', async () => {
    const replacedAt = new Date(now.getTime() - 1_000)
    rules = {
      ...noCallbackRules,
      previousCredentials: [{ credentials: 'old', replacedAt, validUntil: new Date(now.getTime() + 1_000) }],
    }
    provider = {
      verifyCallback: ({ credentials }) =>
        credentials === 'old' ? { verified: true } : { verified: false, reason: 'signature is wrong' },
    }
    await receiveAs('body')
    expect(await stored()).toHaveLength(1)
    expect(log.info).toHaveBeenCalledExactlyOnceWith(
      { provider: 'midtrans', providerAccountId: account.id, credentialsReplacedAt: replacedAt },
      expect.any(String),
    )
  })

  test('a callback verified with the current credentials causes no log entry', async () => {
    await receiveAs('body')
    for (const level of ['info', 'warn', 'error'] as const) expect(log[level]).not.toHaveBeenCalled()
  })

  test('an unreadable callback is stored once, but each delivery gets an error response', async () => {
    const refusal = { status: 500, contentType: 'text/plain', body: 'not understood' }
    reading = { unreadable: { reason: 'amount is text', candidates: [], refusal } }
    const before = await counted('unreadable')
    expect(await receiveAs('body')).toEqual(refusal)
    const [{ id }] = await stored()
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      { provider: 'midtrans', providerAccountId: account.id, reason: 'amount is text' },
      expect.any(String),
    )
    await db.transaction(async tx => {
      const outcome = { id, status: 'unreadable', reason: '', tenantId: null, paymentId: null } as const
      await updateCallbacks(tx, [outcome], now)
      await insertUnreadable(tx, [
        { id, digest: digestOf({ path: '/v1/callbacks', body: Buffer.from('body') }) },
      ])
    })
    expect(await receiveAs('body')).toEqual(refusal)
    expect(await stored()).toHaveLength(1)
    const { rows } = await db.raw(
      'select repeats, last_received_at from unreadable_callbacks where callback_id = ?',
      [id],
    )
    expect(rows).toEqual([{ repeats: 1, last_received_at: now }])
    expect(await receiveAs('another body')).toEqual(refusal)
    expect(await stored()).toHaveLength(2)
    expect(await counted('unreadable')).toBe(before + 3)
  })
})
