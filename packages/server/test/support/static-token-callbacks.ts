// Applies callbacks of a provider that authenticates them only with a constant token. The provider is a test double.

import { callbackApplier } from '../../src/callbacks/apply-callbacks.ts'
import { insertCallbacks } from '../../src/callbacks/callback.sql.ts'
import type { Db } from '../../src/db/db.ts'
import { createLog } from '../../src/logging/log.ts'
import { accountSlots } from '../../src/provider-accounts/account-slots.ts'
import { inquiryLimits } from '../../src/provider-accounts/inquiry-limits.ts'
import type { CallbackRules } from '../../src/provider-accounts/load-account.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { AnyProvider, CallbackUpdate, Inquiry, InquiryResult } from '../../src/providers/provider.ts'
import { newId } from '../../src/values/id.ts'
import { alwaysHealthy } from './always-healthy.ts'

type Options = {
  clock: () => Date
  rules: () => CallbackRules
  inquire(inquiry: Inquiry): Promise<InquiryResult>
}

export function staticTokenCallbacks(db: Db, { clock, rules, inquire }: Options) {
  const updates = new Map<string, CallbackUpdate[]>()
  const provider: AnyProvider = {
    ...midtrans,
    callbackProof: 'static_token',
    inquire: (_: unknown, inquiry: Inquiry) => inquire(inquiry),
    readCallback: (_, { body }) => ({
      updates: updates.get(body.toString()) ?? [],
      acknowledgement: { contentType: 'text/plain', body: '' },
    }),
  }
  const app = {
    ...{ db, clock, log: createLog('silent'), health: alwaysHealthy, publicUrl: 'https://pay.example.com' },
    accountOf: async (id: string) => ({
      provider,
      account: { id, mode: 'live' as const, credentials: {}, baseUrl: null },
      callbackRules: rules(),
    }),
  }
  return {
    ...callbackApplier(app, accountSlots(10), inquiryLimits(clock)),
    /**
     * Stores a callback with the given updates for the provider account, as if the provider had sent it. Returns the
     * callback's ID.
     */
    async received(providerAccountId: string, ...reported: CallbackUpdate[]): Promise<string> {
      const id = newId()
      updates.set(id, reported)
      await insertCallbacks(db, [
        {
          ...{ id, providerAccountId, provider: 'midtrans', path: '', headers: {}, trace: null },
          ...{ body: Buffer.from(id), receivedAt: clock() },
        },
      ])
      return id
    },
  }
}
