import { fairLimit } from '../fairness/fair-limit.ts'

/**
 * Limits the number of concurrent reports, because each report may use one of the pool's database connections for as
 * long as its statements take. Throws RATE_LIMITED if the tenant is at its limit.
 */
export const withReportSlot = fairLimit({ all: 6, own: 2, what: 'reports' })
