import { describe, expect, test } from 'vitest'
import { later, makePayment, now } from '../../../test/support/make-payment.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { planReturnedMoney } from './plan-returned-money.ts'
import { newRecord, paymentFields, type UnexpectedMoney } from './unexpected-money.ts'

const payment = makePayment()
const reference = payment.paymentCode
const told: MoneyReturn = { kind: 'refund', id: 'f-1', amount: 30n, status: 'pending' }

const open = (fields: Partial<UnexpectedMoney>): UnexpectedMoney =>
  newRecord(
    {
      ...paymentFields(payment),
      kind: 'refund',
      reference,
      receipt: 'f-1',
      amount: 30n,
      returnStatus: 'pending',
      credited: false,
      paidAt: now,
      ...fields,
    },
    now,
  )
const plan = (returns: MoneyReturn | MoneyReturn[], known: UnexpectedMoney[] = []) =>
  planReturnedMoney({ reference, returns: [returns].flat() }, known, open, later(1))

test.each<[string, Partial<MoneyReturn>, object[]]>([
  [
    'pending',
    {},
    [{ kind: 'refund', receipt: 'f-1', amount: 30n, returnStatus: 'pending', round: 1, status: 'open' }],
  ],
  ['that succeeded', { status: 'succeeded' }, [{ returnStatus: 'succeeded', amount: 30n }]],
  ['without an amount', { amount: null }, [{ amount: null }]],
  ['of zero cents', { amount: 0n }, [{ amount: null }]],
  ['of one cent', { amount: 1n }, [{ amount: 1n }]],
  ['that failed', { status: 'failed' }, [{ returnStatus: 'failed', status: 'dismissed' }]],
])('the first report of a refund %s creates one record with the reported values', (_, fields, records) => {
  const found = plan({ ...told, ...fields })
  expect(found).toMatchObject({ records, undone: [] })
  expect(found.records).toHaveLength(records.length)
})

test('refunds and chargebacks that differ in kind, ID or order reference have separate records', () => {
  const others = [open({ kind: 'chargeback' }), open({ receipt: 'f-2' }), open({ reference: 'other' })]
  expect(plan(told, [...others, open({ kind: 'underpaid' })]).records).toMatchObject([{ round: 1 }])
  const two = plan([told, { ...told, id: 'f-2', amount: 5n }])
  expect(two.records).toMatchObject([{ receipt: 'f-1' }, { receipt: 'f-2', amount: 5n }])
})

test('a report that lists a refund twice creates a single record with the latest status and the largest amount', () => {
  const succeeded = { ...told, status: 'succeeded' } as const
  expect(plan([told, succeeded]).records).toMatchObject([{ returnStatus: 'succeeded' }])
  const known = open({})
  expect(plan([succeeded, told], [known]).records).toStrictEqual([{ ...known, returnStatus: 'succeeded' }])
  const larger = { ...succeeded, amount: 40n }
  expect(plan([succeeded, larger, { ...told, amount: 50n }], [known]).records).toStrictEqual([
    { ...known, returnStatus: 'succeeded', amount: 40n },
  ])
})

test.each<[string, Partial<UnexpectedMoney>, Partial<MoneyReturn>]>([
  ['the report has no news', {}, {}],
  ['the report has no amount', {}, { amount: null }],
  ['the report has a smaller amount', {}, { amount: 29n }],
  ['the report has an older status', { returnStatus: 'succeeded' }, {}],
  ['the report has an older status and another amount', { returnStatus: 'succeeded' }, { amount: 31n }],
  [
    'the refund is debited, and the report has an older status and another amount',
    { status: 'accepted', returnStatus: 'succeeded' },
    { amount: 31n },
  ],
  [
    'the refund is debited, and the report has the same status and a smaller amount',
    { status: 'accepted' },
    { amount: 29n },
  ],
  [
    'the report repeats that a dismissed refund failed',
    { status: 'dismissed', returnStatus: 'failed' },
    { status: 'failed' },
  ],
  ['the report says that a dismissed refund failed', { status: 'dismissed' }, { status: 'failed' }],
  ['the report repeats that an open refund failed', { returnStatus: 'failed' }, { status: 'failed' }],
  ['the report has no news about a dismissed refund', { status: 'dismissed' }, {}],
  [
    'the report repeats that a dismissed refund succeeded',
    { status: 'dismissed', returnStatus: 'succeeded' },
    { status: 'succeeded' },
  ],
])("a repeated report of a refund does not change the refund's record if %s", (_, record, report) => {
  expect(plan({ ...told, ...report }, [open(record)])).toStrictEqual({ records: [], undone: [] })
})

test.each<[string, Partial<UnexpectedMoney>, Partial<MoneyReturn>, Partial<UnexpectedMoney>]>([
  ['a later status', {}, { status: 'succeeded' }, { returnStatus: 'succeeded' }],
  [
    'a status, if none was known',
    { returnStatus: null },
    { status: 'succeeded' },
    { returnStatus: 'succeeded' },
  ],
  ['a larger amount', {}, { amount: 31n }, { amount: 31n }],
  ['an amount, if none was known', { amount: null }, { amount: 31n }, { amount: 31n }],
  ['a later status and no amount', {}, { status: 'succeeded', amount: null }, { returnStatus: 'succeeded' }],
  [
    'a later status and a larger amount',
    {},
    { status: 'succeeded', amount: 31n },
    { returnStatus: 'succeeded', amount: 31n },
  ],
  [
    'a later status, after the refund was debited,',
    { status: 'accepted' },
    { status: 'succeeded' },
    { returnStatus: 'succeeded' },
  ],
])("a repeated report of a refund with %s updates the refund's record", (_, record, report, changes) => {
  const known = open(record)
  expect(plan({ ...told, ...report }, [known])).toStrictEqual({
    records: [{ ...known, ...changes }],
    undone: [],
  })
})

test.each<[string, Partial<UnexpectedMoney>, Partial<MoneyReturn>]>([
  ['smaller when it succeeds', {}, { status: 'succeeded', amount: 29n }],
  ['larger when it succeeds', {}, { status: 'succeeded', amount: 31n }],
  ['larger while it is pending', {}, { amount: 31n }],
  ['larger after it succeeded', { returnStatus: 'succeeded' }, { status: 'succeeded', amount: 31n }],
])(
  'if the reported amount of a debited refund turns out to be %s, the debit is undone, and a new record stores the reported amount',
  (_, record, report) => {
    const debited = open({ status: 'accepted', credited: true, ...record })
    const reported = { ...told, ...report }
    const reason = 'the provider later reported a different amount for this refund'
    const { records, undone } = plan(reported, [debited])
    expect(records).toMatchObject([
      { ...debited, returnStatus: reported.status, status: 'dismissed', decidedAt: later(1), reason },
      {
        ...{ receipt: 'f-1', round: 2, status: 'open', credited: false, paymentId: payment.id },
        ...{ amount: reported.amount, returnStatus: reported.status },
      },
    ])
    expect(undone).toMatchObject([{ amount: 30n, unexpectedMoneyId: debited.id }])
    expect(plan([reported, told], records)).toEqual({ records: [], undone: [] })
  },
)

test('an open refund that succeeds with a smaller amount is replaced by a new record', () => {
  const known = open({})
  expect(plan({ ...told, status: 'succeeded', amount: 29n }, [known])).toMatchObject({
    records: [
      { id: known.id, status: 'dismissed', amount: 30n },
      { status: 'open', amount: 29n, round: 2, returnStatus: 'succeeded' },
    ],
    undone: [],
  })
})

test("if a dismissed refund later succeeds, a new record awaits the operator's decision", () => {
  const dismissed = open({ status: 'dismissed' })
  const found = plan({ ...told, status: 'succeeded', amount: null }, [dismissed])
  expect(found).toMatchObject({
    records: [
      { kind: 'refund', receipt: 'f-1', status: 'open', round: 2, amount: 30n, returnStatus: 'succeeded' },
    ],
    undone: [],
  })
  expect(found.records[0]?.id).not.toBe(dismissed.id)
  expect(plan({ ...told, status: 'succeeded', amount: 31n }, [dismissed]).records).toMatchObject([
    { amount: 31n },
  ])
})

test('if several records have the refund ID that the provider reports, the report updates only the latest record', () => {
  const first = open({ status: 'dismissed' })
  const second = open({ round: 2, returnStatus: 'succeeded' })
  for (const known of [
    [first, second],
    [second, first],
  ])
    expect(plan({ ...told, status: 'succeeded', amount: 40n }, known).records).toStrictEqual([
      { ...second, amount: 40n },
    ])
})

test.each<[MoneyReturn['kind'], string]>([
  ['refund', 'the provider reports that it failed'],
  ['chargeback', 'the chargeback was won'],
])(
  'if the provider reports a debited %s as failed, its record is dismissed and its amount is credited again',
  (kind, reason) => {
    const debited = open({ kind, status: 'accepted', credited: true })
    expect(plan({ ...told, kind, status: 'failed' }, [debited])).toStrictEqual({
      records: [{ ...debited, returnStatus: 'failed', status: 'dismissed', decidedAt: later(1), reason }],
      undone: [
        {
          type: 'paid_again',
          amount: 30n,
          unexpectedMoneyId: debited.id,
          why: `the debit of the ${kind} f-1 is undone: ${reason}`,
        },
      ],
    })
  },
)

test.each<[string, Partial<UnexpectedMoney>]>([
  ['that the Owner had not decided on', {}],
  ['without an amount', { status: 'accepted', amount: null }],
])(
  'if a refund %s is reported as failed, its record is dismissed, and nothing is credited back because nothing was debited',
  (_, record) => {
    expect(plan({ ...told, status: 'failed', amount: null }, [open(record)])).toMatchObject({
      records: [{ status: 'dismissed', returnStatus: 'failed' }],
      undone: [],
    })
  },
)

describe("reports of a refund with an ID update or replace the refund's record without an ID", () => {
  const unnamed: MoneyReturn = { kind: 'refund', id: null, amount: null, status: 'pending' }
  const unlisted = open({ receipt: '', amount: null })

  test('a later report adds the id and the amount to the record of a refund without an id', () => {
    expect(plan([unnamed, told]).records).toMatchObject([{ receipt: 'f-1', amount: 30n, round: 1 }])
    expect(plan({ ...told, status: 'succeeded' }, [unlisted])).toStrictEqual({
      records: [{ ...unlisted, receipt: 'f-1', amount: 30n, returnStatus: 'succeeded' }],
      undone: [],
    })
    const without = plan({ ...told, amount: null }, [unlisted]).records
    expect(without).toStrictEqual([{ ...unlisted, receipt: 'f-1' }])
  })

  test('once a refund was reported with an ID, reports of a refund without an ID change nothing', () => {
    for (const record of [
      {},
      { status: 'accepted' },
      { status: 'dismissed', returnStatus: 'failed' },
    ] as const)
      expect(plan({ ...unnamed, status: 'succeeded' }, [open(record)]).records).toEqual([])
  })

  test('a refund without an id gets the id of the next refund reported for the same order', () => {
    const second = { ...told, id: 'f-2', amount: 5n }
    expect(plan([told, second], [unlisted]).records).toMatchObject([
      { id: unlisted.id, receipt: 'f-1', amount: 30n },
      { receipt: 'f-2', amount: 5n, round: 1, status: 'open' },
    ])
    for (const other of [
      { ...unlisted, kind: 'chargeback' as const },
      { ...unlisted, reference: 'other' },
    ])
      expect(plan(told, [other]).records).toMatchObject([{ receipt: 'f-1', amount: 30n, status: 'open' }])
  })

  test('a debited refund stays debited if the provider later reports its ID and no other amount', () => {
    const debited = { ...unlisted, status: 'accepted', credited: true, amount: 30n } as const
    for (const amount of [30n, 0n, null])
      expect(plan({ ...told, amount }, [debited])).toStrictEqual({
        records: [{ ...debited, receipt: 'f-1' }],
        undone: [],
      })
  })

  test.each([29n, 31n])(
    'if a debited refund is later reported with an ID and another amount (%s), the debit is undone, and the Owner decides on the reported refund',
    amount => {
      const debited = { ...unlisted, status: 'accepted', credited: true, amount: 30n } as const
      const reason = 'the provider reported this refund as f-1 with a different amount'
      const { records, undone } = plan({ ...told, amount }, [debited])
      expect(records).toMatchObject([
        { id: debited.id, receipt: '', status: 'dismissed', reason, amount: 30n, returnStatus: 'pending' },
        { receipt: 'f-1', status: 'open', amount, credited: false },
      ])
      expect(undone).toMatchObject([
        { amount: 30n, unexpectedMoneyId: debited.id, why: `the debit of the refund is undone: ${reason}` },
      ])
      expect(plan({ ...told, amount }, records).records).toEqual([])
      // A report without an ID changes nothing now, because a record with the refund's ID has replaced the
      // dismissed record.
      expect(plan({ ...unnamed, status: 'succeeded' }, records).records).toEqual([])
    },
  )

  test('an open refund without an ID is replaced if it is reported with an ID and another amount', () => {
    const known = { ...unlisted, amount: 40n }
    expect(plan(told, [known])).toMatchObject({
      records: [
        { id: known.id, status: 'dismissed', amount: 40n },
        { receipt: 'f-1', status: 'open', amount: 30n },
      ],
      undone: [],
    })
  })

  test('if a refund without an ID is later reported as failed, its debit is credited back exactly once', () => {
    const debited = { ...unlisted, status: 'accepted', credited: true, amount: 30n } as const
    expect(plan({ ...told, amount: 31n, status: 'failed' }, [debited])).toMatchObject({
      records: [{ id: debited.id, receipt: 'f-1', status: 'dismissed', returnStatus: 'failed', amount: 30n }],
      undone: [{ amount: 30n }],
    })
  })

  test('a refund that the operator dismissed is reopened only when the provider first reports that it succeeded', () => {
    const decision = { status: 'dismissed', decidedAt: now, reason: 'ours to bear' } as const
    const listed = { receipt: 'f-1', amount: 30n }
    const decided = open({ ...unlisted, ...decision })
    expect(plan(told, [decided]).records).toMatchObject([{ ...listed, ...decision }])
    expect(plan({ ...told, status: 'succeeded' }, [decided]).records).toMatchObject([
      { ...listed, status: 'open', decidedAt: null },
    ])
    const afterSuccess = { ...decided, returnStatus: 'succeeded' } as const
    expect(plan({ ...told, status: 'succeeded' }, [afterSuccess]).records).toMatchObject([
      { ...listed, ...decision },
    ])
    expect(plan({ ...told, status: 'failed' }, [decided]).records).toMatchObject([
      { ...listed, returnStatus: 'failed', reason: 'the provider reports that it failed' },
    ])
    expect(plan({ ...told, amount: null }, [{ ...decided, amount: 7n }]).records).toMatchObject([
      { amount: 7n },
    ])
  })

  test('a failed refund without an id stays failed even if a refund with an id is listed later', () => {
    const failed = open({ receipt: '', status: 'dismissed', returnStatus: 'failed' })
    expect(plan(told, [failed]).records).toMatchObject([{ receipt: 'f-1', status: 'open' }])
  })
})
