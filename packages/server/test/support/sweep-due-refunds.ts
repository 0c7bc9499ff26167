import { dueRefundSweep } from '../../src/payments/refund/sweep-due-refunds.ts'

/** Runs the sweep of due refunds once, until all refunds that it started have ended. Returns whether any were due. */
export async function sweepDueRefunds(app: Parameters<typeof dueRefundSweep>[0]): Promise<boolean> {
  const sweep = dueRefundSweep(app)
  const wasDue = await sweep.begin()
  await sweep.ended()
  return wasDue
}
