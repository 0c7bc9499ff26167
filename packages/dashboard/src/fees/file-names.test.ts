import { expect, test } from 'vitest'
import { reportFile, statementFile } from './file-names.ts'

test.each([
  ['2026-11-01', '2026-11-15', 'gapura-fees-by-channel-from-2026-11-01-until-2026-11-15-live'],
  [undefined, '2026-11-15', 'gapura-fees-by-channel-until-2026-11-15-live'],
  ['2026-11-01', undefined, 'gapura-fees-by-channel-from-2026-11-01-until-2026-11-30-live'],
])('the file name of a fee report from %s to %s contains the period', (from, to, name) => {
  expect(reportFile({ by: 'channel', from, to, mode: 'live' }, '2026-11-30')).toBe(name)
})

test.each([
  ['Toko Budi', 'gapura-fee-statement-2026-11-live-toko-budi'],
  ['PT. A/B & "Café" 24', 'gapura-fee-statement-2026-11-live-pt-a-b-café-24'],
  ['…', 'gapura-fee-statement-2026-11-live'],
])('the file name of a fee statement contains the month and the tenant’s name (%s)', (tenant_name, name) => {
  expect(statementFile({ month: '2026-11', mode: 'live', tenant_name })).toBe(name)
})
