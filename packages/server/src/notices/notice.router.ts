import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { findMutedNotices } from '../auth/users/muted-notices.sql.ts'
import { fault } from '../faults/fault.ts'
import { chooseNotices } from './choose-notices.ts'
import { noticeKinds, noticeKindsFor } from './notice.ts'
import { noticeChoicesInput, noticeChoicesView, viewNoticeChoices } from './notice-choices.ts'

const operation = { path: '/v1/account/notifications' as const, tags: ['Account'] }

export const noticeRouter = router({
  get: userProcedure({ permission: 'viewer' })
    .meta({
      openapi: {
        ...operation,
        method: 'GET',
        operationId: 'getNotifications',
        summary: 'Get your notifications',
        description:
          "Returns which emails about problems the logged-in user gets. The response has a field for each kind of email available to the user's role and permission. All kinds are on until the user turns them off.",
      },
    })
    .input(z.object({}))
    .output(noticeChoicesView)
    .query(async ({ ctx }) => {
      const { role, permissions } = ctx.caller
      const muted = await findMutedNotices(ctx.app.db, ctx.caller)
      // The user may have been removed since the access token was signed.
      if (!muted) throw fault('access_token_invalid')
      return viewNoticeChoices(noticeKindsFor(role, permissions), muted)
    }),

  update: userProcedure({ permission: 'viewer' })
    .meta({
      openapi: {
        ...operation,
        method: 'PATCH',
        operationId: 'updateNotifications',
        summary: 'Change your notifications',
        description:
          'Turns kinds of emails about problems on or off for the logged-in user only. Omitted kinds stay unchanged. A kind that the user never gets is rejected. Emails about the security of the account, such as a login from a new device, cannot be turned off. The request is safe to retry.',
      },
    })
    .input(noticeChoicesInput)
    .output(noticeChoicesView)
    .mutation(async ({ ctx, input }) => {
      const { role, permissions } = ctx.caller
      const kinds = noticeKindsFor(role, permissions)
      const field = noticeKinds.find(kind => input[kind] !== undefined && !kinds.includes(kind))
      if (field) throw fault('notification_not_received', {}, { field })
      const muted = await chooseNotices(ctx.app, ctx.caller, input)
      return viewNoticeChoices(kinds, muted)
    }),
})
