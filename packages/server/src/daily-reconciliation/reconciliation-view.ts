// The daily reconciliation's runs and differences, as the Owner (the service's operator) sees them.

import { z } from 'zod'
import { differenceFields } from '../reports/reconciliation-report.ts'
import { modes } from '../values/mode.ts'
import { closers, type StoredReconciliationDifference } from './difference.sql.ts'
import type { ReconciliationRun } from './run.sql.ts'

const count = z.int().min(0)
const time = z.iso.datetime()

export const storedDifferenceView = z
  .strictObject({
    id: z.uuid(),
    date: z.iso
      .date()
      .meta({ description: 'The day in Asia/Jakarta whose reconciliation first found the difference' }),
    ...differenceFields,
    found_at: time,
    last_found_at: time,
    closed_at: time
      .nullable()
      .meta({ description: 'Time when the reconciliation difference was closed; null while it is open' }),
    closed_by: z.enum(closers).nullable().meta({
      description:
        'What closed the reconciliation difference. `run`: a later run of the daily reconciliation no longer found it. `owner`: the Owner closed it with a reason',
    }),
    reason: z.string().nullable().meta({
      description:
        "The Owner's reason for closing the reconciliation difference; null if the Owner did not close it",
    }),
  })
  .meta({ id: 'KeptDifference', description: 'A difference that the daily reconciliation found' })

export const viewStoredDifference = ({
  day,
  ...difference
}: StoredReconciliationDifference): z.output<typeof storedDifferenceView> => ({
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
    date: z.iso.date().meta({ description: 'The reconciled day, in Asia/Jakarta' }),
    mode: z.enum(modes),
    state: z.enum(states).meta({
      description:
        '`running`: in progress. `incomplete`: the provider did not respond for some payments; the service retries their status inquiries at `retry_at`. `complete`: finished',
    }),
    started_at: time,
    ended_at: time.nullable().meta({
      description:
        "End of the run's latest round of checks; null until every payment has been compared once. If some payments are still unchecked, the run continues later, at `retry_at`",
    }),
    retry_at: time.nullable().meta({
      description:
        'Time when the service will check again the payments that could not be checked in this run; null if no check is scheduled',
    }),
    compared: z.strictObject({
      settlement: count.meta({ description: 'Number of payments compared with a settlement' }),
      inquiry: count.meta({
        description: 'Number of payments compared with the result of a status inquiry',
      }),
      unknown_lines: count.meta({ description: 'Number of settlement lines that match no payment' }),
    }),
    not_checked: z
      .array(
        z.strictObject({
          provider: z.string().nullable().meta({ example: 'midtrans' }),
          provider_account_id: z.uuid(),
          payments: count,
          retried: z.boolean().meta({
            description:
              "Whether the service retries the status inquiries for these payments; false if the provider's API cannot return their status",
          }),
        }),
      )
      .meta({
        description:
          'Provider accounts whose payments could be compared only with the ledger and not with the provider’s data',
      }),
    differences: count.meta({ description: 'Number of differences that this run found for the first time' }),
  })
  .meta({ id: 'ReconciliationRun', description: 'A run of the daily reconciliation' })

export const viewRun = (run: ReconciliationRun): z.output<typeof runView> => ({
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
