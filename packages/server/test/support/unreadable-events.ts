// Makes a stored webhook event unreadable, to test that the other events are still delivered.

import { onTestFinished } from 'vitest'
import { tamper } from './ledger.ts'

/** Stores a body that was compressed with a dictionary of a later version. */
const compressWithUnknownDictionary = (url: string, eventId: string): Promise<void> =>
  tamper(url, [
    String.raw`update webhook_events set body = null, body_compressed = '\xff00' where id = $1`,
    [eventId],
  ])

/** Makes each query that reads the event fail, as if the event were on a damaged page, until the test ends. */
export async function damagePage(url: string, eventId: string): Promise<void> {
  await tamper(
    url,
    [
      `create function damaged_page() returns boolean language plpgsql as
       $$ begin raise 'invalid page' using errcode = 'XX001'; end $$`,
      [],
    ],
    [
      `create policy damaged on webhook_events as restrictive for select
         using (case id when '${eventId}' then damaged_page() else true end)`,
      [],
    ],
  )
  onTestFinished(() => tamper(url, ['drop function damaged_page cascade', []]))
}

/** The reasons why an event cannot be read, each with a function that creates this situation. */
export const unreadableBecause = [
  { reason: 'a later version compressed its body', makeUnreadable: compressWithUnknownDictionary },
  { reason: 'it is on a damaged page', makeUnreadable: damagePage },
]
