import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { listOpenDifferences } from '../ledger/ledger-difference.sql.ts'
import { findLastVerification } from './verification.sql.ts'
import { ledgerVerificationView, viewVerification } from './verification-view.ts'

const MAX_DIFFERENCES = 100

export const verificationRouter = router({
  get: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/ledger-verification',
        operationId: 'getLedgerVerification',
        tags: ['Exceptions'],
        summary: 'Get the result of ledger verification',
        description:
          'Returns the time and result of the last verification of the whole ledger, and the differences it found. Each ledger entry is verified within seconds of posting. The whole ledger is verified once a day: entries, balances, payments, the hash of each merchant order, and seals (hashes that reveal changed entries). To start a verification now, run `gapura-server verify-ledger`.',
      },
    })
    .input(z.object({}))
    .output(ledgerVerificationView)
    .query(async ({ ctx: { app } }) => {
      const [last, differences] = await Promise.all([
        findLastVerification(app.db),
        listOpenDifferences(app.db, MAX_DIFFERENCES),
      ])
      return viewVerification(last, differences)
    }),
})
