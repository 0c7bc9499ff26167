// Names the files that the fee pages download, without their extensions. Each name contains the period, so that the
// files of two months do not have the same name.

import type { Mode } from '../shell/mode.ts'

type Report = { by: string; from: string | undefined; to: string | undefined; mode: Mode }

/** Returns the name of a fee report's file. `today` is used if the report has no last day. */
export const reportFile = ({ by, from, to, mode }: Report, today: string): string =>
  ['gapura-fees-by', by, ...(from ? ['from', from] : []), 'until', to ?? today, mode].join('-')

type Statement = { month: string; mode: Mode; tenant_name: string }

/** Returns the name of a monthly fee statement's file. It contains only the letters and digits of the tenant's name. */
export const statementFile = ({ month, mode, tenant_name }: Statement): string =>
  ['gapura-fee-statement', month, mode, ...(tenant_name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].join(
    '-',
  )
