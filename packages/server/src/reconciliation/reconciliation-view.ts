// The runs and differences of the daily reconciliation, as the Owner sees them.

import { z } from 'zod'
import { modes } from '../mode.ts'
import { differenceFields } from '../reports/reconciliation.ts'
import { closers, type KeptDifference } from './difference.sql.ts'
import type { Run } from './run.sql.ts'

const count = z.int().min(0)
const time = z.iso.datetime()

export const keptDifferenceView = z
  .strictObject({
    id: z.uuid(),
    date: z.iso.date().meta({ description: 'The day whose run found it first, in Asia/Jakarta' }),
    ...differenceFields,
    found_at: time,
    last_found_at: time,
    closed_at: time.nullable().meta({ description: 'null: it is open' }),
    closed_by: z.enum(closers).nullable().meta({
      description:
        '`run`: the books agreed again when a later run compared them. `owner`: closed with a reason',
    }),
    reason: z.string().nullable().meta({ description: 'Why the Owner closed it' }),
  })
  .meta({ id: 'KeptDifference' })

export const viewKeptDifference = ({
  day,
  ...difference
}: KeptDifference): z.output<typeof keptDifferenceView> => ({
  ...difference,
  date: day,
  found_at: difference.found_at.toISOString(),
  last_found_at: difference.last_found_at.toISOString(),
  closed_at: difference.closed_at?.toISOString() ?? null,
})

const states = ['running', 'incomplete', 'complete'] as const

export const runView = z
  .strictObject({
    id: z.uuid(),
    date: z.iso.date().meta({ description: 'The day that is reconciled, in Asia/Jakarta' }),
    mode: z.enum(modes),
    state: z.enum(states).meta({
      description:
        '`incomplete`: there are payments that their provider did not answer about. They are asked about again at `retry_at`',
    }),
    started_at: time,
    ended_at: time
      .nullable()
      .meta({ description: 'When its last pass ended; null: the first one is under way' }),
    retry_at: time.nullable().meta({ description: 'null: no other pass follows' }),
    compared: z.strictObject({
      settlement: count.meta({ description: 'Payments compared with a settlement' }),
      inquiry: count.meta({ description: 'Payments that their provider answered about' }),
      unknown_lines: count.meta({ description: 'Lines of settlements that lead to no payment' }),
    }),
    not_checked: z
      .array(
        z.strictObject({
          provider: z.string().nullable().meta({ example: 'midtrans' }),
          provider_account_id: z.uuid(),
          payments: count,
          retried: z.boolean().meta({
            description: 'false: the provider answered that it has no way to tell about any of them',
          }),
        }),
      )
      .meta({ description: 'Accounts with payments that nothing but the ledger was compared with' }),
    differences: count.meta({ description: 'Differences that were found in this run for the first time' }),
  })
  .meta({ id: 'ReconciliationRun' })

export const viewRun = (run: Run): z.output<typeof runView> => ({
  id: run.id,
  date: run.day,
  mode: run.mode,
  state: run.completedAt ? 'complete' : run.endedAt ? 'incomplete' : 'running',
  started_at: run.startedAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null,
  retry_at: run.retryAt?.toISOString() ?? null,
  compared: {
    settlement: Number(run.settlement),
    inquiry: Number(run.inquiry),
    unknown_lines: Number(run.unknownLines),
  },
  not_checked: run.notChecked,
  differences: Number(run.differences),
})
