import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { listOpenDifferences } from '../ledger/difference.sql.ts'
import { findLastVerification } from './verification.sql.ts'
import { ledgerVerificationView, viewVerification } from './verification-view.ts'

const SHOWN_AT_MOST = 100

export const verificationRouter = router({
  get: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/ledger-verification',
        operationId: 'getLedgerVerification',
        tags: ['Exceptions'],
        summary: 'Get what the verification of the ledger found',
        description:
          'The service verifies each entry within seconds of its posting, and the whole ledger once a day: entries, balances, payments, the orders of merchants and seals. Here is when it did so last, and what contradicts itself. `gapura-server verify-ledger` verifies at once.',
      },
    })
    .input(z.object({}))
    .output(ledgerVerificationView)
    .query(async ({ ctx: { app } }) => {
      const [last, differences] = await Promise.all([
        findLastVerification(app.db),
        listOpenDifferences(app.db, SHOWN_AT_MOST),
      ])
      return viewVerification(last, differences)
    }),
})
