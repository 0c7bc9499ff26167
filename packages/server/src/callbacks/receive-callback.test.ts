import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { noCallbackRules, now } from '../../test/support/make.ts'
import { newId } from '../id.ts'
import { createLog } from '../log.ts'
import { insertProviderAccount } from '../provider-accounts/provider-account.sql.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { callbackReception } from './receive-callback.ts'

const { db } = await testDatabase()
const accountId = newId()
const receive = callbackReception({
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

/** Each callback's id, and the key of its job, by its body. */
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

test('callbacks that come in together are kept each with its bytes and share one job', async () => {
  const calls = Array.from({ length: 7 }, (_, n) => callback({ 'x-number': `${n}` }))
  const replies = await Promise.all(calls.map(received))
  expect(replies).toEqual(
    calls.map(() => ({ status: 200, contentType: 'application/json', body: '{"status":"ok"}' })),
  )
  const kept = await keptOf(calls)
  expect(new Set(kept.map(row => row?.job)).size).toBe(1)
  expect(await payloadOf(kept[0]?.job)).toEqual({ callback_ids: kept.map(row => row?.id) })
})

test('large ones that come in together are kept by several statements, each of two megabytes at most', async () => {
  const calls = Array.from({ length: 20 }, () => callback({}, 'x'.repeat(200_000)))
  await Promise.all(calls.map(received))
  const kept = await keptOf(calls)
  const sizes = [...Map.groupBy(kept, row => row?.job).values()].map(rows =>
    rows.reduce((sum, row) => sum + (row?.body.length ?? 0), 0),
  )
  expect(sizes).toHaveLength(2)
  for (const size of sizes) expect(size).toBeLessThanOrEqual(2 * 1024 * 1024)
})

test('one that the database does not take is answered with its error, and the others are kept', async () => {
  const calls = [callback(), callback({ 'x-odd': 'a\0b' }), callback()]
  const answers = await Promise.allSettled(calls.map(received))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const [first, odd, last] = await keptOf(calls)
  expect(odd).toBeUndefined()
  expect(await payloadOf(first?.job)).toEqual({ callback_ids: [first?.id] })
  expect(await payloadOf(last?.job)).toEqual({ callback_ids: [last?.id] })
})

test('of forgeries that come all at once some are kept, each is refused, and a genuine one is kept beside them', async () => {
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
  const [answer, ...refusals] = await Promise.allSettled([genuine, ...forged].map(received))
  expect(answer?.status).toBe('fulfilled')
  for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { code: 'UNAUTHORIZED' } })
  expect(await keptOf([genuine])).not.toContain(undefined)
  const { rows } = await db.raw('select from rejected_callbacks where provider_account_id = ?', [accountId])
  expect(rows).toHaveLength(4)
})

test('none is acknowledged before it is committed', async () => {
  const calls = [callback(), callback()]
  const tx = await db.transaction()
  await tx.raw('lock table provider_callbacks in share mode')
  let answered = 0
  const answers = calls.map(call =>
    received(call).finally(() => {
      answered += 1
    }),
  )
  // The statement is there, and waits.
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
