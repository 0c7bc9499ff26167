// Defines which kinds of notices (emails about problems) a user gets. Emails about account security are not notices,
// so a user cannot turn them off.

import { z } from 'zod'
import { type NoticeKind, noticeKinds } from './notice.ts'

const subjects: Record<NoticeKind, string> = {
  receiver_failing:
    'no webhook delivery to your callback URL, or to an additional webhook endpoint, has succeeded for an hour. Only admins and developers of a Client get this email',
  key_expiring:
    'an API key was used after its rotation and expires soon. Only admins and developers get this email',
  unexpected_money:
    "live money that matches no open payment was received and awaits a decision in the dashboard's Inbox. Only admins and finance users of the Owner get this email",
  outcome_unknown:
    'the provider has not reported the outcome of a live charge or refund. Only admins and finance users of the Owner get this email',
  provider_down:
    'a provider account has been unavailable for five minutes. Only admins and finance users of the Owner get this email',
  success_rate_falling:
    "a live provider account's success rate is clearly lower in recent hours than on the days before. The success rate is the share of paid payments. Only admins and finance users of the Owner get this email",
}

export type NoticeChoices = Partial<Record<NoticeKind, boolean | undefined>>

/** The schema has one optional boolean field for each kind of notice. */
const fields = Object.fromEntries(
  noticeKinds.map(kind => [
    kind,
    z
      .boolean()
      .optional()
      .meta({ description: `Whether the user gets an email if ${subjects[kind]}` }),
  ]),
) as Record<NoticeKind, z.ZodOptional<z.ZodBoolean>>

export const noticeChoicesInput = z.object(fields)

export const noticeChoicesView = z.strictObject(fields).meta({
  id: 'Notifications',
  description:
    "For each kind of problem, whether the user gets emails about it. A kind is omitted if it does not apply to the user's role and permission",
})

/**
 * Returns the kinds of notices that are turned off once the user's new choices apply. A kind without a choice stays
 * unchanged.
 */
export const mutedAfter = (before: readonly string[], choices: NoticeChoices): string[] => {
  const isChosen = (kind: string) => choices[kind as NoticeKind] !== undefined
  const turnedOff = noticeKinds.filter(kind => choices[kind] === false)
  return [...before.filter(kind => !isChosen(kind)), ...turnedOff].toSorted()
}

/** Returns, for each of the given kinds of notices, whether the user has turned it on. */
export const viewNoticeChoices = (
  kinds: readonly NoticeKind[],
  muted: readonly string[],
): z.output<typeof noticeChoicesView> => Object.fromEntries(kinds.map(kind => [kind, !muted.includes(kind)]))
